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
  summary: 'Change an axis',
  description: `Writes the fields that are present and leaves the others. \`label: null\` clears the label. \`code\` never changes:
sending it is an error. An axis that is made inactive stays where it is attached, and cannot be newly attached.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  locksCatalog: true,
  params: AxisParams,
  body: UpdateAxisBody,
  bodyExample: axisExample.update,
  responses: {
    200: { description: 'The axis as it is now.', schema: AxisWire, example: axisExample.updated },
  },
  handle: async (tx, { caller, params, body }) => {
    await changeAxis(tx, params.code, axisFieldsFromWire(body));
    return { status: 200, body: axisToWire(await getAxis(tx, caller.brandId, params.code)) };
  },
});
