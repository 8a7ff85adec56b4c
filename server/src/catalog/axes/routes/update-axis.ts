import { writeOperation } from '../../../api/operation.ts';
import { changeAxis } from '../axis-service.ts';
import { AxisParams, AxisWire, axisFieldsFromWire, axisToWire, UpdateAxisBody } from '../axis-wire.ts';
import { getAxis } from '../queries/get-axis.ts';
import { axisExample } from './axis-example.ts';

/** Changes everything but the code [catalog-33] [catalog-34]. */
export const updateAxisOperation = writeOperation({
  id: 'updateAxis',
  method: 'PATCH',
  path: '/axes/:code',
  tag: 'Axes',
  summary: 'Update an axis',
  description: `Omitted fields are left unchanged. \`label: null\` removes the label. \`code\` is immutable: sending it is an error.
A deactivated axis stays attached where it is, and cannot be newly attached.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  lock: 'catalog',
  params: AxisParams,
  body: UpdateAxisBody,
  bodyExample: axisExample.update,
  responses: {
    200: { description: 'The updated axis.', schema: AxisWire, example: axisExample.updated },
  },
  handle: async (tx, { caller, params, body }) => {
    await changeAxis(tx, params.code, axisFieldsFromWire(body));
    return { status: 200, body: axisToWire(await getAxis(tx, caller.brandId, params.code)) };
  },
});
