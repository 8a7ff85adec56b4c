import { Type } from 'typebox';
import { readOperation } from '../../analytics/analytics-operation.ts';
import { ExactFilter } from '../../api/field-schemas.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import { brandToWire } from '../../brands/brand-wire.ts';
import { listBrands } from '../../brands/queries/brand-list.ts';
import { brandSummaryToWire, ListedBrandWire, listedBrandExample } from '../brand-summary-wire.ts';
import { readSummaries } from '../read-summaries.ts';

/** [internal-118] [internal-119] */
export const listBrandsOperation = readOperation({
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
