import { writeOperation } from '../../../api/operation.ts';
import { deleteAxisValue } from '../axis-value-service.ts';
import { AxisValueParams } from '../axis-wire.ts';

/** Refuses while the value is in use [catalog-36]. */
export const deleteAxisValueOperation = writeOperation({
  id: 'deleteAxisValue',
  method: 'DELETE',
  path: '/axes/:code/values/:value',
  tag: 'Axes',
  summary: 'Delete a value of an axis',
  description: `The value can be used again. Returns \`value_in_use\` while a product selects the value or a live variant uses it;
deleted variants do not count.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  lock: 'catalog',
  params: AxisValueParams,
  responses: { 204: { description: 'The value was deleted.' } },
  errors: ['value_in_use'],
  handle: async (tx, { params }) => {
    await deleteAxisValue(tx, params.code, params.value);
    return { status: 204 };
  },
});
