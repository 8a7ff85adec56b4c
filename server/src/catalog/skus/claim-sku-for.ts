import type { Caller } from '../../api/scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import { claimSku, findSkuOwner, type SkuOwner } from './sku-claim-store.ts';

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
  if (!(await claimSku(lock, sku, owner))) await refuseTakenSku(lock, caller, sku);
}

/**
 * Throws the error about the holder of a SKU that could not be claimed.
 * @throws ApiError `duplicate_sku`, always
 */
export async function refuseTakenSku(lock: CatalogLock, caller: Caller, sku: string): Promise<never> {
  const holder = caller.scopes.has('catalog.products:read') ? await findSkuOwner(lock, sku) : null;
  throw new ApiError('duplicate_sku', {
    ...(holder !== null && {
      extra: { conflict: { kind: holder.kind, tu_id: holder.tuId, is_deleted: holder.isDeleted } },
    }),
  });
}
