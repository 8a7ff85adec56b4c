import type { Caller } from '../../api/scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { SkuHolder } from './sku-claim-store.ts';

/**
 * Returns the error `duplicate_sku` about the holder of a SKU, which is named only to a key that may read products
 * [catalog-19] [catalog-20].
 */
export function takenSku(caller: Caller, holder: SkuHolder | null): ApiError {
  const isNamed = holder !== null && caller.scopes.has('catalog.products:read');
  return new ApiError('duplicate_sku', {
    ...(isNamed && {
      extra: { conflict: { kind: holder.kind, tu_id: holder.tuId, is_deleted: holder.isDeleted } },
    }),
  });
}
