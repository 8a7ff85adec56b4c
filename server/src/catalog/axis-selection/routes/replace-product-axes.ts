import { writeOperation } from '../../../api/operation.ts';
import { ProductParams } from '../../products/product-wire.ts';
import { replaceAxisSelection } from '../axis-selection-service.ts';
import { EffectiveAxesWire, effectiveAxesToWire, ReplaceProductAxesBody } from '../axis-selection-wire.ts';
import { getAxisSelection } from '../queries/get-axis-selection.ts';
import { axisSelectionExample } from './axis-selection-example.ts';

/** Replaces the selection as a whole [catalog-38]. */
export const replaceProductAxesOperation = writeOperation({
  id: 'replaceProductAxes',
  method: 'PUT',
  path: '/products/:tuId/axes',
  tag: 'Axis selection',
  summary: 'Set the axis selection of a product',
  description: `Declarative: \`axes\` is the whole selection, in the product's order. Axes that it leaves out are detached, and an empty
array detaches all. The same selection again changes nothing.

Inactive axes and values cannot be newly attached, but stay where they are. Once the product has variants, no axis can
be added, no value that a variant uses can be removed (both 422 at their index), and no axis that a variant carries can
be detached (\`axis_in_use\`).`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  locksCatalog: true,
  params: ProductParams,
  body: ReplaceProductAxesBody,
  bodyExample: axisSelectionExample.replace,
  responses: {
    200: {
      description: 'The effective axes as they are now.',
      schema: EffectiveAxesWire,
      example: axisSelectionExample.effective,
    },
  },
  errors: ['axis_in_use'],
  handle: async (tx, { caller, params, body }) => {
    await replaceAxisSelection(tx, params.tuId, body.axes);
    const selection = await getAxisSelection(tx, caller.brandId, params.tuId);
    return { status: 200, body: effectiveAxesToWire(selection) };
  },
});
