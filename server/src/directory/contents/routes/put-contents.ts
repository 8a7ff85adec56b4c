import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryBodyLimit, requireDistinct, UpsertedWire } from '../../directory-wire.ts';
import { putContents } from '../content-service.ts';
import { contentItemsFromWire, PutContentsBody } from '../content-wire.ts';

export const putContentsOperation = writeOperation({
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
