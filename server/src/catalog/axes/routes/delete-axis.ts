import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { AxisParams } from '../axis-wire.ts';
import { openAxisDeletions } from '../library-changes.ts';

/** Refuses while the axis is in use [catalog-35]. */
export const deleteAxisOperation = setOperation({
  id: 'deleteAxis',
  method: 'DELETE',
  path: '/axes/:code',
  tag: 'Axes',
  summary: 'Delete an axis',
  description: `Deletes the axis with all of its values; the code can be used again. Returns \`axis_in_use\` while the axis is attached to
a product or a live variant uses one of its values; deleted variants do not count.`,
  access: ['catalog.axes:write'],
  idempotency: 'ignored',
  params: AxisParams,
  responses: { 204: { description: 'The axis was deleted.' } },
  errors: ['axis_in_use'],
  set: {
    lock: 'catalog',
    open: async (tx, requests, options) => {
      const names = requests.map(({ caller: { brandId }, params: { code } }) => ({ brandId, code }));
      return mapSet(await openAxisDeletions(tx, names, options), () => ({ status: 204 }));
    },
  },
});
