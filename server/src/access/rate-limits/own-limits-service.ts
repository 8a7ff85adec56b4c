import { recordAudit } from '../../audit/audit-store.ts';
import { lockBrand } from '../../brands/brand-store.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { lockExisting } from '../api-keys/api-key-service.ts';
import { limitChanges, type OwnLimits } from '../own-limits/own-limits.ts';
import { findBrandLimits, setBrandLimits, setKeyLimits } from './own-limits-store.ts';

/** Replaces the own limits of a key; null: it has none any more. Returns its brand. @throws ApiError `not_found` */
export async function limitKey(
  tx: AuditedTransaction,
  keyId: string,
  own: OwnLimits | null,
): Promise<number> {
  const key = await lockExisting(tx, keyId);
  const changes = limitChanges(key.ownLimits, own);
  if (Object.keys(changes).length === 0) return key.brandId;
  await setKeyLimits(tx, key, own);
  await recordAudit(tx, {
    action: 'api_key.limit',
    brandId: key.brandId,
    resourceType: 'api_key',
    resourceId: keyId,
    details: { name: key.name, changes },
  });
  return key.brandId;
}

/** Replaces the own limits of a brand; null: it has none any more. @throws ApiError `not_found` */
export async function limitBrand(
  tx: AuditedTransaction,
  brandId: number,
  own: OwnLimits | null,
): Promise<void> {
  if ((await lockBrand(tx, brandId)) === null) throw notFound();
  const changes = limitChanges(await findBrandLimits(tx, brandId), own);
  if (Object.keys(changes).length === 0) return;
  await setBrandLimits(tx, brandId, own);
  await recordAudit(tx, {
    action: 'brand.limit',
    brandId,
    resourceType: 'brand',
    resourceId: String(brandId),
    details: { changes },
  });
}
