import { writeOperation } from '../../../api/operation.ts';
import { createAxisValue } from '../axis-value-service.ts';
import {
  AxisOfValueParams,
  AxisValueWire,
  axisValueToWire,
  CreateAxisValueBody,
  newAxisValueFromWire,
} from '../axis-wire.ts';
import { axisExample } from './axis-example.ts';

/** Refuses a value that the axis has [catalog-32]. */
export const createAxisValueOperation = writeOperation({
  id: 'createAxisValue',
  method: 'POST',
  path: '/axes/:code/values',
  tag: 'Axes',
  summary: 'Add a value to an axis',
  description:
    'A `position` that is left out is the next free one. The value is active; products use it once they select it.',
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  locksCatalog: true,
  params: AxisOfValueParams,
  body: CreateAxisValueBody,
  bodyExample: axisExample.createValue,
  responses: {
    201: { description: 'The new value.', schema: AxisValueWire, example: axisExample.createdValue },
  },
  errors: ['duplicate_axis_value'],
  handle: async (tx, { params, body }) => {
    const created = await createAxisValue(tx, params.code, newAxisValueFromWire(body));
    return { status: 201, body: axisValueToWire(created) };
  },
});
