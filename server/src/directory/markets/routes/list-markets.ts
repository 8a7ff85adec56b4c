import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listDirectoryPage } from '../../queries/list-directory-page.ts';
import { marketList } from '../market-list.ts';
import { type MarketRow, MarketWire, marketToWire } from '../market-wire.ts';

export const listMarketsOperation = readOperation({
  id: 'listMarkets',
  method: 'GET',
  path: '/brands/:id/markets',
  tag: 'Directory',
  summary: 'List markets',
  description: 'In the order of their ids.',
  access: 'admin',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page.',
      schema: listOf(MarketWire),
      example: {
        data: [
          {
            tu_id: 'de-north',
            name: 'Germany, north',
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
    const { rows, total } = await listDirectoryPage<MarketRow>(database, marketList, brand.id, page);
    return { status: 200, body: { data: rows.map(marketToWire), meta: pageMeta(page, total) } };
  },
});
