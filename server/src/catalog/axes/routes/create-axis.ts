import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { AxisWire, axisToWire, CreateAxisBody, newAxisFromWire } from '../axis-wire.ts';
import { openAxisCreations } from '../library-creations.ts';
import { axisExample } from './axis-example.ts';

/** Creates the axis with its values, or nothing [catalog-30] [catalog-31]. */
export const createAxisOperation = setOperation({
  id: 'createAxis',
  method: 'POST',
  path: '/axes',
  tag: 'Axes',
  summary: 'Create an axis',
  description: `Adds an axis to the brand's library, with or without values. \`position\` defaults to the next free one.
New axes and values are active.`,
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  body: CreateAxisBody,
  bodyExample: axisExample.create,
  responses: { 201: { description: 'The new axis.', schema: AxisWire, example: axisExample.created } },
  errors: ['duplicate_axis_code'],
  set: {
    lock: 'catalog',
    open: async (tx, requests, options) => {
      const axes = requests.map(({ caller: { brandId }, body }) => ({ brandId, ...newAxisFromWire(body) }));
      const set = await openAxisCreations(tx, axes, options);
      return mapSet(set, (axis) => ({ status: 201, body: axisToWire(axis) }));
    },
  },
});
