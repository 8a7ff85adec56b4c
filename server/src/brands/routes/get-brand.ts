import { readOperation } from '../../api/operation.ts';
import { getBrand } from '../brand-service.ts';
import { brandHeaders, tagOf } from '../brand-tag.ts';
import { BrandParams, BrandWire, brandExample, brandIdFromPath, brandToWire } from '../brand-wire.ts';

export const getBrandOperation = readOperation({
  id: 'getBrand',
  method: 'GET',
  path: '/brands/:id',
  tag: 'Brands',
  summary: 'Get a brand',
  description: 'Returns one brand with its settings.',
  access: 'brand',
  params: BrandParams,
  responses: {
    200: { description: 'The brand.', schema: BrandWire, example: brandExample, headers: brandHeaders },
  },
  handle: async ({ database }, { params }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    return { status: 200, headers: { etag: tagOf(brand) }, body: brandToWire(brand) };
  },
});
