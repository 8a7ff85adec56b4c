import { Type } from 'typebox';
import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import { BrandWire, brandExample, brandToWire } from '../brand-wire.ts';
import { listBrands } from '../queries/brand-list.ts';

export const listBrandsOperation = readOperation({
  id: 'listBrands',
  method: 'GET',
  path: '/brands',
  tag: 'Brands',
  summary: 'List brands',
  description: 'Lists all brands of this installation, oldest first.',
  access: 'brands',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of brands.',
      schema: listOf(BrandWire),
      example: exampleListOf(brandExample),
    },
  },
  handle: async ({ database }, { query }) => {
    const page = pageOf(query);
    const { brands, total } = await listBrands(database, page);
    return { status: 200, body: { data: brands.map(brandToWire), meta: pageMeta(page, total) } };
  },
});
