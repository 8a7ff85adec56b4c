import { readOperation } from '../../../api/operation.ts';
import { ProductParams } from '../../product-params.ts';
import { EffectiveAxesWire, effectiveAxesToWire } from '../axis-selection-wire.ts';
import { getAxisSelection } from '../queries/selection-json.ts';
import { axisSelectionExample } from './axis-selection-example.ts';

/** Returns the whole selection, without pages [catalog-40]. */
export const getProductAxesOperation = readOperation({
  id: 'getProductAxes',
  method: 'GET',
  path: '/products/:tuId/axes',
  tag: 'Axis selection',
  summary: 'Get the axis selection of a product',
  description: `The axes that are attached to the product, in the product's order, each with its selected values. Not paginated.
Includes axes and values that were deactivated after they were selected, with \`is_active: false\`.`,
  access: ['catalog.products:read'],
  params: ProductParams,
  responses: {
    200: {
      description: 'The effective axes.',
      schema: EffectiveAxesWire,
      example: axisSelectionExample.effective,
    },
  },
  handle: async ({ database }, { caller, params }) => {
    const selection = await getAxisSelection(database, caller.brandId, params.tuId);
    return { status: 200, body: effectiveAxesToWire(selection) };
  },
});
