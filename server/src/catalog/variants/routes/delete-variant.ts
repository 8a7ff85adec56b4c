import { writeOperation } from '../../../api/operation.ts';
import { deleteVariant } from '../variant-service.ts';
import { VariantParams } from '../variant-wire.ts';

/** Deletes softly: the SKU stays taken [catalog-56]. */
export const deleteVariantOperation = writeOperation({
  id: 'deleteVariant',
  method: 'DELETE',
  path: '/variants/:tuId',
  tag: 'Variants',
  summary: 'Delete a variant',
  description: `The variant and its stock are no longer listed. Its combination and its axis values can be used again; its SKU stays
in use permanently.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  lock: 'catalog',
  params: VariantParams,
  responses: { 204: { description: 'The variant was deleted.' } },
  handle: async (tx, { params }) => {
    await deleteVariant(tx, params.tuId);
    return { status: 204 };
  },
});
