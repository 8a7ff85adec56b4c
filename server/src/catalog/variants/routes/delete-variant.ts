import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { openVariantDeletion } from '../variant-deletions.ts';
import { VariantParams } from '../variant-wire.ts';

/** Deletes softly: the SKU stays taken [catalog-56]. */
export const deleteVariantOperation = setOperation({
  id: 'deleteVariant',
  method: 'DELETE',
  path: '/variants/:tuId',
  tag: 'Variants',
  summary: 'Delete a variant',
  description: `The variant and its stock are no longer listed. Its combination and its axis values can be used again; its SKU stays
in use permanently.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  params: VariantParams,
  responses: { 204: { description: 'The variant was deleted.' } },
  set: {
    lock: 'catalog',
    // Also locks the brand's stock.
    isAlone: () => true,
    open: async (tx, [request], options) => {
      const { caller, params } = request;
      const set = await openVariantDeletion(tx, { brandId: caller.brandId, tuId: params.tuId }, options);
      return mapSet(set, () => ({ status: 204 }));
    },
  },
});
