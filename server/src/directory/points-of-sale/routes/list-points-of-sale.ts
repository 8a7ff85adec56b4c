import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listDirectoryPage } from '../../queries/list-directory-page.ts';
import { pointOfSaleList } from '../point-of-sale-list.ts';
import { type PointOfSaleRow, PointOfSaleWire, pointOfSaleToWire } from '../point-of-sale-wire.ts';

export const listPointsOfSaleOperation = readOperation({
  id: 'listPointsOfSale',
  method: 'GET',
  path: '/brands/:id/pos',
  tag: 'Directory',
  summary: 'List points of sale',
  description: 'In the order of their ids.',
  access: 'admin',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page.',
      schema: listOf(PointOfSaleWire),
      example: {
        data: [
          {
            tu_id: 'shop-12',
            name: 'Shop 12',
            location: 'BERLIN-1',
            created_at: '2026-03-01T08:30:00.000Z',
            updated_at: '2026-03-01T08:30:00.000Z',
          },
        ],
        meta: { current_page: 1, per_page: 50, total: 1, last_page: 1 },
      },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const page = pageOf(query);
    const { rows, total } = await listDirectoryPage<PointOfSaleRow>(
      database,
      pointOfSaleList,
      brand.id,
      page,
    );
    return { status: 200, body: { data: rows.map(pointOfSaleToWire), meta: pageMeta(page, total) } };
  },
});
