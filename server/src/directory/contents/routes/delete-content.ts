import { Type } from 'typebox';
import { writeOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryItemParams } from '../../directory-wire.ts';
import { removeContent } from '../content-service.ts';

export const deleteContentOperation = writeOperation({
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
