import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listDirectoryPage } from '../../queries/list-directory-page.ts';
import { contentList } from '../content-list.ts';
import { type ContentRow, ContentWire, contentToWire } from '../content-wire.ts';

export const listContentsOperation = readOperation({
  id: 'listContents',
  method: 'GET',
  path: '/brands/:id/contents',
  tag: 'Directory',
  summary: 'List contents',
  description: 'In the order of their ids.',
  access: 'admin',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page.',
      schema: listOf(ContentWire),
      example: {
        data: [
          {
            type: 'episode',
            tu_id: 'ep-12',
            name: 'Fibres and fabrics',
            is_live: true,
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
    const { rows, total } = await listDirectoryPage<ContentRow>(database, contentList, brand.id, page);
    return { status: 200, body: { data: rows.map(contentToWire), meta: pageMeta(page, total) } };
  },
});
