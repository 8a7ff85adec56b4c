import type { Caller } from '../../api/scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import { claimSku, findSkuHolders, type SkuHolder, type SkuOwner } from './sku-claim-store.ts';

/**
 * Claims a SKU, or throws an error about its holder, which is named only to a key that may read products [catalog-19]
 * [catalog-20].
 * @throws ApiError `duplicate_sku`
 */
export async function claimSkuFor(
  lock: CatalogLock,
  caller: Caller,
  sku: string,
  owner: SkuOwner,
): Promise<void> {
  if (await claimSku(lock, sku, owner)) return;
  const [holder = null] = await findSkuHolders(lock.tx, [{ brandId: lock.brandId, sku }]);
  throw takenSku(caller, holder);
}

/** Returns the error about the holder of a SKU: `duplicate_sku`. */
export function takenSku(caller: Caller, holder: SkuHolder | null): ApiError {
  const isNamed = holder !== null && caller.scopes.has('catalog.products:read');
  return new ApiError('duplicate_sku', {
    ...(isNamed && {
      extra: { conflict: { kind: holder.kind, tu_id: holder.tuId, is_deleted: holder.isDeleted } },
    }),
  });
}
