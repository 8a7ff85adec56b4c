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
    '`position` defaults to the next free one. The new value is active. Products use it after they select it.',
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  lock: 'catalog',
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
