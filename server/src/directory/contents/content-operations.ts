import { Type } from 'typebox';
import { type Operation, writeOperation } from '../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { directoryBodyLimit, directoryItemParams, requireDistinct, UpsertedWire } from '../directory-wire.ts';
import { directoryListOperation } from '../list-operation.ts';
import { contentList } from '../queries/directory-lists.ts';
import { putContents, removeContent } from './content-service.ts';
import { ContentWire, contentItemsFromWire, PutContentsBody } from './content-wire.ts';

const putContentsOperation = writeOperation({
  id: 'putContents',
  method: 'PUT',
  path: '/brands/:id/contents',
  tag: 'Directory',
  summary: 'Create or update contents',
  description:
    'Up to 10,000 items per request. Omitted items and omitted fields are left unchanged. A content that events referred to before it existed takes over their records.',
  access: 'brand',
  params: BrandParams,
  body: PutContentsBody,
  bodyExample: {
    items: [
      { type: 'episode', tu_id: 'ep-12', name: 'Fibres and fabrics' },
      { type: 'episode', tu_id: 'ep-13', name: 'Dyes', is_live: false },
    ],
  },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
  handle: async (tx, { params, body }, { jobs }) => {
    const items = contentItemsFromWire(body);
    requireDistinct(items, ({ type, tuId }) => `${type}/${tuId}`);
    await putContents(tx, brandIdFromPath(params.id), items, jobs);
    return { status: 200, body: { upserted: items.length } };
  },
});

const listContentsOperation = directoryListOperation({
  id: 'listContents',
  path: 'contents',
  things: 'contents',
  list: contentList,
  item: ContentWire,
  example: {
    type: 'episode',
    tu_id: 'ep-12',
    name: 'Fibres and fabrics',
    is_live: true,
    created_at: '2026-03-01T08:30:00.000Z',
    updated_at: '2026-03-01T08:30:00.000Z',
  },
});

const deleteContentOperation = writeOperation({
  id: 'deleteContent',
  method: 'DELETE',
  path: '/brands/:id/contents/:type/:tu_id',
  tag: 'Directory',
  summary: 'Delete a content',
  description: 'Its analytics rows are kept, with `content` null.',
  access: 'brand',
  params: Type.Object({
    ...directoryItemParams('ep-13').properties,
    type: Type.String({ pattern: '^[a-z_]{1,32}$', examples: ['episode'] }),
  }),
  responses: { 204: { description: 'The content was deleted.' } },
  handle: async (tx, { params }, { jobs }) => {
    const { type, tu_id: tuId } = params;
    await removeContent(tx, brandIdFromPath(params.id), { type, tuId }, jobs);
    return { status: 204 };
  },
});

export const contentOperations: readonly Operation[] = [
  putContentsOperation,
  listContentsOperation,
  deleteContentOperation,
];
