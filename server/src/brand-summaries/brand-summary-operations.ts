import { Type } from 'typebox';
import { type AnalyticsContext, readOperation } from '../analytics/analytics-context.ts';
import { ExactFilter } from '../api/field-schemas.ts';
import type { Operation } from '../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../api/pagination.ts';
import { tagHeaders } from '../api/reply.ts';
import { brandTag } from '../brands/brand.ts';
import { getBrand } from '../brands/brand-service.ts';
import { BrandParams, brandIdFromPath, brandToWire } from '../brands/brand-wire.ts';
import { listBrands } from '../brands/queries/brand-list.ts';
import { notFound } from '../errors/api-error.ts';
import {
  BrandDetailWire,
  brandSummaryToWire,
  ListedBrandWire,
  listedBrandExample,
} from './brand-summary-wire.ts';
import { readSummaries } from './read-summaries.ts';

/** [internal-118] [internal-119] */
const listBrandsOperation = readOperation({
  id: 'listBrands',
  method: 'GET',
  path: '/brands',
  tag: 'Brands',
  summary: 'List brands',
  description: 'Lists all brands of this installation, or those that `search` finds, oldest first.',
  access: 'brands',
  query: Type.Object({
    search: ExactFilter({
      description: 'Only brands whose name contains this text, in upper or lower case.',
      examples: ['maison'],
    }),
    include: Type.Optional(
      Type.String({
        enum: ['summary'],
        description: '`summary`: adds the figures of each brand.',
        examples: ['summary'],
      }),
    ),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of brands.',
      schema: listOf(ListedBrandWire),
      example: exampleListOf(listedBrandExample),
    },
  },
  handle: async (context, { query, internalCaller }) => {
    const page = pageOf(query);
    const filter = { search: query.search, brandIds: internalCaller.brandIds };
    const { brands, total } = await listBrands(context.database, filter, page);
    const ids = query.include === 'summary' ? brands.map(({ id }) => id) : [];
    const summaries = await readSummaries(context, ids);
    const data = brands.map((brand) => {
      const summary = summaries.get(brand.id);
      return {
        ...brandToWire(brand),
        ...(summary !== undefined && { summary: brandSummaryToWire(summary) }),
      };
    });
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
  description: 'Returns one brand with its settings and, in `summary`, its figures.',
  access: 'brand',
  params: BrandParams,
  responses: {
    200: {
      description: 'The brand.',
      schema: BrandDetailWire,
      example: listedBrandExample,
      headers: tagHeaders,
    },
  },
  handle: async (context, { params }) => {
    const brand = await getBrand(context.database, brandIdFromPath(params.id));
    const summary = (await readSummaries(context, [brand.id])).get(brand.id);
    if (summary === undefined) throw notFound();
    const body = { ...brandToWire(brand), summary: brandSummaryToWire(summary) };
    return { status: 200, headers: { etag: brandTag(brand) }, body };
  },
});

export const brandSummaryOperations: readonly Operation<AnalyticsContext>[] = [
  listBrandsOperation,
  getBrandOperation,
];
