import { writeOperation } from '../../../api/operation.ts';
import { deleteAxis } from '../axis-service.ts';
import { AxisParams } from '../axis-wire.ts';

/** Refuses while the axis is in use [catalog-35]. */
export const deleteAxisOperation = writeOperation({
  id: 'deleteAxis',
  method: 'DELETE',
  path: '/axes/:code',
  tag: 'Axes',
  summary: 'Delete an axis',
  description: `Deletes the axis with all of its values; the code can be used again. Returns \`axis_in_use\` while the axis is attached to
a product or a live variant uses one of its values; deleted variants do not count.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  lock: 'catalog',
  params: AxisParams,
  responses: { 204: { description: 'The axis was deleted.' } },
  errors: ['axis_in_use'],
  handle: async (tx, { params }) => {
    await deleteAxis(tx, params.code);
    return { status: 204 };
  },
});
