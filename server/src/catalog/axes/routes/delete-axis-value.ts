import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { AxisValueParams } from '../axis-wire.ts';
import { openValueDeletions } from '../library-changes.ts';

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
