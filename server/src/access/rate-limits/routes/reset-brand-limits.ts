import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { limitBrand } from '../own-limits-service.ts';

/** Gives a brand the configured limits again [internal-182]. */
export const resetBrandLimitsOperation = writeOperation({
  id: 'resetBrandLimits',
  method: 'DELETE',
  path: '/brands/:id/limits',
  tag: 'API keys',
  summary: 'Remove the own rate limits of a brand',
  description:
    'The configured limits hold again from the next request on. Removing them twice changes nothing.',
  access: 'brand',
  params: BrandParams,
  responses: { 204: { description: 'The configured limits hold.' } },
  handle: async (tx, { params }) => {
    await limitBrand(tx, brandIdFromPath(params.id), null);
    return { status: 204 };
  },
});
