import { readOperation } from '../../analytics/analytics-operation.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { notFound } from '../../errors/api-error.ts';
import { BrandSummaryWire, brandSummaryExample, brandSummaryToWire } from '../brand-summary-wire.ts';
import { readSummaries } from '../read-summaries.ts';

/** Shows the figures of a brand at a glance [internal-119]. */
export const getBrandSummaryOperation = readOperation({
  id: 'getBrandSummary',
  method: 'GET',
  path: '/brands/:id/summary',
  tag: 'Brands',
  summary: 'Get the summary of a brand',
  description: 'Returns the figures of one brand, the same as `include=summary` in the list of brands.',
  access: 'brand',
  params: BrandParams,
  responses: { 200: { description: 'The figures.', schema: BrandSummaryWire, example: brandSummaryExample } },
  handle: async (context, { params }) => {
    const { id } = await getBrand(context.database, brandIdFromPath(params.id));
    const summary = (await readSummaries(context, [id])).get(id);
    if (summary === undefined) throw notFound();
    return { status: 200, body: brandSummaryToWire(summary) };
  },
});
