import type { AccessRole } from '../../api/access.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { requireFutureExpiry } from '../api-keys/api-key.ts';
import {
  type Administrator,
  brandsOfRole,
  isAdministratorId,
  newAdministratorToken,
} from './administrator.ts';
import { deleteAdministratorRow, findUnknownBrands, insertAdministrator } from './administrator-store.ts';

export interface AdministratorRequest {
  readonly name: string;
  readonly role: AccessRole;
  readonly brandIds: readonly number[] | null;
  readonly expiresAt: Date | null;
}

export interface IssuedAdministrator {
  readonly administrator: Administrator;
  /** `bpa_<24 hex>.<40 characters>`; known only now. */
  readonly plaintext: string;
}

/**
 * Creates an administrator with its token, in the caller's transaction.
 * @throws ApiError `validation_failed` on `brand_ids` if they do not fit the role or one of them does not exist, on `expires_at`
 * if it is past
 */
export async function createAdministrator(
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
export async function deleteAdministrator(tx: AuditedTransaction, id: string): Promise<void> {
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
