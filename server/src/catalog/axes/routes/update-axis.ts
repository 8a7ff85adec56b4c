import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { AxisParams, AxisWire, axisFieldsFromWire, axisToWire, UpdateAxisBody } from '../axis-wire.ts';
import { openAxisChanges } from '../library-changes.ts';
import { axisExample } from './axis-example.ts';

/** Changes everything but the code [catalog-33] [catalog-34]. */
export const updateAxisOperation = setOperation({
  id: 'updateAxis',
  method: 'PATCH',
  path: '/axes/:code',
  tag: 'Axes',
  summary: 'Update an axis',
  description: `Omitted fields are left unchanged. \`label: null\` removes the label. \`code\` is immutable: sending it is an error.
A deactivated axis stays attached where it is, and cannot be newly attached.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  params: AxisParams,
  body: UpdateAxisBody,
  bodyExample: axisExample.update,
  responses: {
    200: { description: 'The updated axis.', schema: AxisWire, example: axisExample.updated },
  },
  set: {
    lock: 'catalog',
    open: async (tx, requests, options) => {
      const changes = requests.map(({ caller: { brandId }, params: { code }, body }) => {
        return { brandId, code, changes: axisFieldsFromWire(body) };
      });
      const set = await openAxisChanges(tx, changes, options);
      return mapSet(set, (axis) => ({ status: 200, body: axisToWire(axis) }));
    },
  },
});
