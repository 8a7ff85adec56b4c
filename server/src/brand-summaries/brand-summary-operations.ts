import { type AnalyticsContext, readOperation } from '../analytics/analytics-context.ts';
import type { Operation } from '../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf } from '../api/pagination.ts';
import { tagHeaders } from '../api/reply.ts';
import { brandTag } from '../brands/brand.ts';
import { getBrand } from '../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath, brandToWire } from '../brands/brand-wire.ts';
import { notFound } from '../errors/api-error.ts';
import { listBrands, listHourlyRequests, readSummaries } from './brand-summary-store.ts';
import {
  BrandDetailWire,
  BrandListQuery,
  brandDetailExample,
  brandSummaryToWire,
  ListedBrandWire,
  listedBrandExample,
  listedBrandToWire,
} from './brand-summary-wire.ts';

/** [internal-118] [internal-119] */
const listBrandsOperation = readOperation({
  id: 'listBrands',
  method: 'GET',
  path: '/brands',
  tag: 'Brands',
  summary: 'List brands',
  description: 'Lists all brands of this installation, or those that `q` finds, oldest first unless sorted.',
  access: 'filtered-by-brand',
  query: BrandListQuery,
  responses: {
    200: {
      description: 'One page of brands.',
      schema: listOf(ListedBrandWire, 'BrandPage'),
      example: exampleListOf(listedBrandExample),
    },
  },
  handle: async (context, { query, internalCaller }) => {
    const page = pageOf(query);
    const filter = { search: query.q ?? query.search, brandIds: internalCaller.brandIds };
    const { rows, total } = await listBrands(context.database, filter, page, query.sort);
    const ids = query.include === 'summary' ? rows.map(({ brand }) => brand.id) : [];
    const [summaries, hourly] = await Promise.all([
      readSummaries(context, ids),
      listHourlyRequests(context.database, ids, context.clock.now()),
    ]);
    const data = rows.map((row) =>
      listedBrandToWire(row, summaries.get(row.brand.id), hourly.get(row.brand.id)),
    );
    return { status: 200, body: { data, meta: pageMeta(page, total) } };
  },
});

/** Shows the settings and figures of a brand [internal-119]; the tag is that of the settings [internal-186]. */
const getBrandOperation = readOperation({
  id: 'getBrand',
  method: 'GET',
  path: '/brands/:id',
  tag: 'Brands',
  summary: 'Get a brand',
  description: 'Returns one brand with its settings and, in `figures`, its figures.',
  access: 'one-brand',
  params: BrandParams,
  responses: {
    200: {
      description: 'The brand.',
      schema: BrandDetailWire,
      example: brandDetailExample,
      headers: tagHeaders,
    },
  },
  handle: async (context, { params }) => {
    const brand = await getBrand(context.database, brandIdFromPath(params.id));
    const summary = (await readSummaries(context, [brand.id])).get(brand.id);
    if (summary === undefined) throw notFound();
    const body = { ...brandToWire(brand), figures: brandSummaryToWire(summary) };
    return { status: 200, headers: { etag: brandTag(brand) }, body };
  },
});

export const brandSummaryOperations: readonly Operation<AnalyticsContext>[] = [
  listBrandsOperation,
  getBrandOperation,
];
