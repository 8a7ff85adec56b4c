import { type Operation, readOperation, setOperation } from '../../api/operation.ts';
import { mapSet } from '../brand-set.ts';
import { ProductParams } from '../product-params.ts';
import { EffectiveAxesWire, effectiveAxesToWire, ReplaceProductAxesBody } from './axis-selection-wire.ts';
import { getAxisSelection } from './queries/selection-json.ts';
import { openSelectionChange } from './selection-changes.ts';

const value = (name: string, label: string, position: number) => ({
  value: name,
  label,
  position,
  is_active: true,
});

const axisSelectionExample = {
  effective: {
    data: [
      {
        code: 'color',
        label: 'Colour',
        position: 0,
        is_active: true,
        values: [value('red', 'Red', 0), value('blue', 'Blue', 1)],
      },
      {
        code: 'size',
        label: 'Size',
        position: 1,
        is_active: true,
        values: [value('s', 'S', 0), value('m', 'M', 1), value('l', 'L', 2)],
      },
    ],
  },
  replace: {
    axes: [
      { code: 'color', values: ['red', 'blue'] },
      { code: 'size', values: ['s', 'm', 'l'] },
    ],
  },
};

/** Returns the whole selection, without pages [catalog-40]. */
const getProductAxesOperation = readOperation({
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

/** Replaces the selection as a whole [catalog-38]. */
export const replaceProductAxesOperation = setOperation({
  id: 'replaceProductAxes',
  method: 'PUT',
  path: '/products/:tuId/axes',
  tag: 'Axis selection',
  summary: 'Set the axis selection of a product',
  description: `\`axes\` is the complete selection, in the product's order. Axes that it omits are detached; an empty array detaches all.
Sending the current selection changes nothing.

Inactive axes and values cannot be newly attached, but existing ones are kept. Once the product has variants, adding an axis and
removing a value that a variant uses return 422 with the index, and detaching an axis that a variant uses returns
\`axis_in_use\`.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  params: ProductParams,
  body: ReplaceProductAxesBody,
  bodyExample: axisSelectionExample.replace,
  responses: {
    200: {
      description: 'The updated axes.',
      schema: EffectiveAxesWire,
      example: axisSelectionExample.effective,
    },
  },
  errors: ['axis_in_use'],
  set: {
    lock: 'catalog',
    isAlone: () => true,
    open: async (tx, [request], { waits }) => {
      const { caller, params, body } = request;
      const change = { brandId: caller.brandId, productTuId: params.tuId, wanted: body.axes };
      const set = await openSelectionChange(tx, change, { waits });
      return mapSet(set, (selection) => ({ status: 200, body: effectiveAxesToWire(selection) }));
    },
  },
});

export const axisSelectionOperations: readonly Operation[] = [
  getProductAxesOperation,
  replaceProductAxesOperation,
];
