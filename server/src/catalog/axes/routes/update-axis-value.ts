import { writeOperation } from '../../../api/operation.ts';
import { changeAxisValue } from '../axis-value-service.ts';
import {
  AxisValueParams,
  AxisValueWire,
  axisFieldsFromWire,
  axisValueToWire,
  UpdateAxisValueBody,
} from '../axis-wire.ts';
import { axisExample } from './axis-example.ts';

/** Changes everything but the value itself [catalog-33] [catalog-34]. */
export const updateAxisValueOperation = writeOperation({
  id: 'updateAxisValue',
  method: 'PATCH',
  path: '/axes/:code/values/:value',
  tag: 'Axes',
  summary: 'Change a value of an axis',
  description: `Writes the fields that are present and leaves the others. \`label: null\` clears the label. \`value\` never changes:
sending it is an error. A value that is made inactive stays where it is selected, and cannot be newly selected.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  locksCatalog: true,
  params: AxisValueParams,
  body: UpdateAxisValueBody,
  bodyExample: axisExample.updateValue,
  responses: {
    200: { description: 'The value as it is now.', schema: AxisValueWire, example: axisExample.updatedValue },
  },
  handle: async (tx, { params, body }) => {
    const changes = axisFieldsFromWire(body);
    const changed = await changeAxisValue(tx, params.code, params.value, changes);
    return { status: 200, body: axisValueToWire(changed) };
  },
});
