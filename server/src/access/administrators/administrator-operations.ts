import { type Static, Type } from 'typebox';
import { type AccessRole, accessRoles } from '../../api/access.ts';
import { Instant, NamedObject, Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/instant.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { requireFutureExpiry } from '../api-keys/api-key.ts';
import {
  type Administrator,
  brandsOfRole,
  isAdministratorId,
  newAdministratorToken,
} from './administrator.ts';
import {
  deleteAdministratorRow,
  findUnknownBrands,
  insertAdministrator,
  listAdministrators,
} from './administrator-store.ts';

interface AdministratorRequest {
  readonly name: string;
  readonly role: AccessRole;
  readonly brandIds: readonly number[] | null;
  readonly expiresAt: Date | null;
}

interface IssuedAdministrator {
  readonly administrator: Administrator;
  /** `bpa_<24 hex>.<40 characters>`; known only now. */
  readonly plaintext: string;
}

/**
 * Creates an administrator with its token, in the caller's transaction.
 * @throws ApiError `validation_failed` on `brand_ids` if they do not fit the role or one of them does not exist, on `expires_at`
 * if it is past
 */
async function createAdministrator(
  tx: AuditedTransaction,
  clock: Clock,
  request: AdministratorRequest,
): Promise<IssuedAdministrator> {
  const { name, role, expiresAt } = request;
  const brandIds = brandsOfRole(role, request.brandIds);
  requireFutureExpiry(expiresAt, clock.now());
  const [unknown] = brandIds === null ? [] : await findUnknownBrands(tx, brandIds);
  if (unknown !== undefined) throw invalidField('brand_ids', `has ${unknown}, which is not a brand`);
  const { plaintext, ...made } = newAdministratorToken();
  const administrator = await insertAdministrator(tx, { ...made, name, role, brandIds, expiresAt });
  await recordAudit(tx, {
    action: 'administrator.create',
    brandId: null,
    resourceType: 'administrator',
    resourceId: administrator.id,
    details: { name, role, brand_ids: brandIds, expires_at: expiresAt?.toISOString() ?? null },
  });
  return { administrator, plaintext };
}

/** Deletes an administrator and ends its sessions, in the caller's transaction. @throws ApiError `not_found` */
async function deleteAdministrator(tx: AuditedTransaction, id: string): Promise<void> {
  const administrator = isAdministratorId(id) ? await deleteAdministratorRow(tx, id) : null;
  if (administrator === null) throw notFound();
  const { name, role } = administrator;
  await recordAudit(tx, {
    action: 'administrator.delete',
    brandId: null,
    resourceType: 'administrator',
    resourceId: id,
    details: { name, role },
  });
}

const exampleId = 'bpa_0123456789abcdef01234567';

export const RoleWire = Type.Unsafe<AccessRole>({ type: 'string', enum: [...accessRoles] });

const brandIds = Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
  minItems: 1,
  maxItems: 1_000,
});

const CreateAdministratorBody = NamedObject('AdministratorCreate', {
  name: Text({ max: 255, description: 'Shown in the audit.', examples: ['Ada, support'] }),
  role: Type.Unsafe<AccessRole>({
    type: 'string',
    enum: [...accessRoles],
    description:
      '`administrator`: everything. `operator`: everything of some brands. `support`: reads, changes nothing.',
  }),
  brand_ids: Type.Optional(
    Nullable(brandIds, {
      description:
        'The brands that the role is for. null or absent: all. Required for an operator; must be null for an administrator.',
    }),
  ),
  expires_at: Type.Optional(
    Nullable(Instant(), { description: 'The token is rejected from this time on. null or absent: never.' }),
  ),
});

/** Accepts any string, because an id that no administrator can have is a 404, not a 422. */
const AdministratorParams = Type.Object({
  id: Type.String({
    description: 'The public part of the token: the part before the dot.',
    examples: [exampleId],
  }),
});

const fields = {
  id: Type.String({ description: 'The public part of the token: the part before the dot.' }),
  name: Type.String(),
  role: RoleWire,
  brand_ids: Nullable(Type.Array(Type.Integer()), { description: 'null: all brands.' }),
  expires_at: Nullable(Timestamp()),
  last_used_at: Nullable(Timestamp(), { description: 'Updated with a delay of some seconds.' }),
  last_used_from: Nullable(Type.String(), { description: 'The client’s address at the last use.' }),
  created_at: Timestamp(),
};

const AdministratorWire = NamedObject('Administrator', fields);

const IssuedAdministratorWire = NamedObject('IssuedAdministrator', {
  ...fields,
  token: Nullable(Type.String(), {
    description: 'The complete token. It is shown only once and never stored: null in a replay.',
  }),
});

const administratorExample: Static<typeof AdministratorWire> = {
  id: exampleId,
  name: 'Ada, support',
  role: 'support',
  brand_ids: [1],
  expires_at: null,
  last_used_at: null,
  last_used_from: null,
  created_at: '2026-03-01T08:30:00.000Z',
};

const issuedAdministratorExample: Static<typeof IssuedAdministratorWire> = {
  ...administratorExample,
  token: `${exampleId}.ExampleExampleExampleExampleExampleExamp`,
};

function administratorRequestFromWire(body: Static<typeof CreateAdministratorBody>): AdministratorRequest {
  const { name, role, brand_ids = null, expires_at } = body;
  return { name, role, brandIds: brand_ids, expiresAt: expires_at == null ? null : parseInstant(expires_at) };
}

function administratorToWire(administrator: Administrator): Static<typeof AdministratorWire> {
  return {
    id: administrator.id,
    name: administrator.name,
    role: administrator.role,
    brand_ids: administrator.brandIds === null ? null : [...administrator.brandIds],
    expires_at: administrator.expiresAt?.toISOString() ?? null,
    last_used_at: administrator.lastUsedAt?.toISOString() ?? null,
    last_used_from: administrator.lastUsedFrom,
    created_at: administrator.createdAt.toISOString(),
  };
}

function issuedAdministratorToWire({
  administrator,
  plaintext,
}: IssuedAdministrator): Static<typeof IssuedAdministratorWire> {
  return { ...administratorToWire(administrator), token: plaintext };
}

const createAdministratorOperation = writeOperation({
  id: 'createAdministrator',
  method: 'POST',
  path: '/administrators',
  tag: 'Administrators',
  summary: 'Create an administrator',
  description:
    'Creates a token for a person or a program, with a role. It is a bearer token of the internal surface, and browsers sign in with it. The complete token is returned only in this response. The role cannot be changed.',
  access: 'administrators',
  body: CreateAdministratorBody,
  bodyExample: { name: 'Ada, support', role: 'support', brand_ids: [1] },
  idempotency: 'optional',
  secretField: 'token',
  responses: {
    201: {
      description: 'The administrator with its token.',
      schema: IssuedAdministratorWire,
      example: issuedAdministratorExample,
    },
  },
  handle: async (tx, { body }, { clock }) => {
    const issued = await createAdministrator(tx, clock, administratorRequestFromWire(body));
    return { status: 201, body: issuedAdministratorToWire(issued) };
  },
});

const listAdministratorsOperation = readOperation({
  id: 'listAdministrators',
  method: 'GET',
  path: '/administrators',
  tag: 'Administrators',
  summary: 'List administrators',
  description: 'Lists all administrators that are not deleted, newest first, without their secrets.',
  access: 'administrators',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of administrators.',
      schema: listOf(AdministratorWire, 'AdministratorPage'),
      example: exampleListOf(administratorExample),
    },
  },
  handle: async ({ database }, { query }) => {
    return pageReply(query, (page) => listAdministrators(database, page), administratorToWire);
  },
});

const deleteAdministratorOperation = writeOperation({
  id: 'deleteAdministrator',
  method: 'DELETE',
  path: '/administrators/:id',
  tag: 'Administrators',
  summary: 'Delete an administrator',
  description: 'Rejects the token and ends its sessions from now on. Its audit entries are kept.',
  access: 'administrators',
  params: AdministratorParams,
  responses: { 204: { description: 'The administrator was deleted.' } },
  handle: async (tx, { params }) => {
    await deleteAdministrator(tx, params.id);
    return { status: 204 };
  },
});

export const administratorOperations: readonly Operation[] = [
  createAdministratorOperation,
  listAdministratorsOperation,
  deleteAdministratorOperation,
];
