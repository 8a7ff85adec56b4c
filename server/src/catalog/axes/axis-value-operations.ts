import { setOperation } from '../../api/operation.ts';
import { mapSet } from '../brand-set.ts';
import { axisExample } from './axis-example.ts';
import {
  AxisOfValueParams,
  AxisValueParams,
  AxisValueWire,
  axisFieldsFromWire,
  axisValueToWire,
  CreateAxisValueBody,
  newAxisValueFromWire,
  UpdateAxisValueBody,
} from './axis-wire.ts';
import { openValueChanges, openValueDeletions } from './library-changes.ts';
import { openValueCreations } from './library-creations.ts';

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

/** Refuses while the value is in use [catalog-36]. */
export const deleteAxisValueOperation = setOperation({
  id: 'deleteAxisValue',
  method: 'DELETE',
  path: '/axes/:code/values/:value',
  tag: 'Axes',
  summary: 'Delete a value of an axis',
  description: `The value can be used again. Returns \`value_in_use\` while a product selects the value or a live variant uses it;
deleted variants do not count.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  params: AxisValueParams,
  responses: { 204: { description: 'The value was deleted.' } },
  errors: ['value_in_use'],
  set: {
    lock: 'catalog',
    open: async (tx, requests, options) => {
      const names = requests.map(({ caller: { brandId }, params: { code, value } }) => {
        return { brandId, code, value };
      });
      return mapSet(await openValueDeletions(tx, names, options), () => ({ status: 204 }));
    },
  },
});
