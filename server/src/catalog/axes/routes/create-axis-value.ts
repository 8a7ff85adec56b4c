import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import {
  AxisOfValueParams,
  AxisValueWire,
  axisValueToWire,
  CreateAxisValueBody,
  newAxisValueFromWire,
} from '../axis-wire.ts';
import { openValueCreations } from '../library-creations.ts';
import { axisExample } from './axis-example.ts';

/** Refuses a value that the axis has [catalog-32]. */
export const createAxisValueOperation = setOperation({
  id: 'createAxisValue',
  method: 'POST',
  path: '/axes/:code/values',
  tag: 'Axes',
  summary: 'Add a value to an axis',
  description:
    '`position` defaults to the next free one. The new value is active. Products use it after they select it.',
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  params: AxisOfValueParams,
  body: CreateAxisValueBody,
  bodyExample: axisExample.createValue,
  responses: {
    201: { description: 'The new value.', schema: AxisValueWire, example: axisExample.createdValue },
  },
  errors: ['duplicate_axis_value'],
  set: {
    lock: 'catalog',
    open: async (tx, requests, options) => {
      const values = requests.map(({ caller: { brandId }, params: { code }, body }) => {
        return { brandId, code, ...newAxisValueFromWire(body) };
      });
      const set = await openValueCreations(tx, values, options);
      return mapSet(set, (value) => ({ status: 201, body: axisValueToWire(value) }));
    },
  },
});
