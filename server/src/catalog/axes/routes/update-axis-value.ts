import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import {
  AxisValueParams,
  AxisValueWire,
  axisFieldsFromWire,
  axisValueToWire,
  UpdateAxisValueBody,
} from '../axis-wire.ts';
import { openValueChanges } from '../library-changes.ts';
import { axisExample } from './axis-example.ts';

/** Changes everything but the value itself [catalog-33] [catalog-34]. */
export const updateAxisValueOperation = setOperation({
  id: 'updateAxisValue',
  method: 'PATCH',
  path: '/axes/:code/values/:value',
  tag: 'Axes',
  summary: 'Update a value of an axis',
  description: `Omitted fields are left unchanged. \`label: null\` removes the label. \`value\` is immutable: sending it is an error.
A deactivated value stays selected where it is, and cannot be newly selected.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  params: AxisValueParams,
  body: UpdateAxisValueBody,
  bodyExample: axisExample.updateValue,
  responses: {
    200: { description: 'The updated value.', schema: AxisValueWire, example: axisExample.updatedValue },
  },
  set: {
    lock: 'catalog',
    open: async (tx, requests, options) => {
      const changes = requests.map(({ caller: { brandId }, params: { code, value }, body }) => {
        return { brandId, code, value, changes: axisFieldsFromWire(body) };
      });
      const set = await openValueChanges(tx, changes, options);
      return mapSet(set, (value) => ({ status: 200, body: axisValueToWire(value) }));
    },
  },
});
