import { type Static, Type } from 'typebox';
import { type AccessRole, accessRoles } from '../../api/access.ts';
import { Instant, Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { parseInstant } from '../../lib/instant.ts';
import type { Administrator } from './administrator.ts';
import type { AdministratorRequest, IssuedAdministrator } from './administrator-service.ts';

const exampleId = 'bpa_0123456789abcdef01234567';

export const RoleWire = Type.Unsafe<AccessRole>({ type: 'string', enum: [...accessRoles] });

const brandIds = Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
  minItems: 1,
  maxItems: 1_000,
});

export const CreateAdministratorBody = Type.Object({
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
export const AdministratorParams = Type.Object({
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

export const AdministratorWire = Type.Object(fields);

export const IssuedAdministratorWire = Type.Object({
  ...fields,
  token: Nullable(Type.String(), {
    description: 'The complete token. It is shown only once and never stored: null in a replay.',
  }),
});

export const administratorExample: Static<typeof AdministratorWire> = {
  id: exampleId,
  name: 'Ada, support',
  role: 'support',
  brand_ids: [1],
  expires_at: null,
  last_used_at: null,
  last_used_from: null,
  created_at: '2026-03-01T08:30:00.000Z',
};

export const issuedAdministratorExample: Static<typeof IssuedAdministratorWire> = {
  ...administratorExample,
  token: `${exampleId}.ExampleExampleExampleExampleExampleExamp`,
};

export function administratorRequestFromWire(
  body: Static<typeof CreateAdministratorBody>,
): AdministratorRequest {
  const { name, role, brand_ids = null, expires_at } = body;
  return { name, role, brandIds: brand_ids, expiresAt: expires_at == null ? null : parseInstant(expires_at) };
}

export function administratorToWire(administrator: Administrator): Static<typeof AdministratorWire> {
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

export function issuedAdministratorToWire({
  administrator,
  plaintext,
}: IssuedAdministrator): Static<typeof IssuedAdministratorWire> {
  return { ...administratorToWire(administrator), token: plaintext };
}
