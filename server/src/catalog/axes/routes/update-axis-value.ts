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
  summary: 'Update a value of an axis',
  description: `Omitted fields are left unchanged. \`label: null\` removes the label. \`value\` is immutable: sending it is an error.
A deactivated value stays selected where it is, and cannot be newly selected.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  lock: 'catalog',
  params: AxisValueParams,
  body: UpdateAxisValueBody,
  bodyExample: axisExample.updateValue,
  responses: {
    200: { description: 'The updated value.', schema: AxisValueWire, example: axisExample.updatedValue },
  },
  handle: async (tx, { params, body }) => {
    const changes = axisFieldsFromWire(body);
    const changed = await changeAxisValue(tx, params.code, params.value, changes);
    return { status: 200, body: axisValueToWire(changed) };
  },
});
