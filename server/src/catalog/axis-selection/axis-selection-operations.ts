import { clientWrite, type Operation, readOperation } from '../../api/operation.ts';
import { notFound } from '../../errors/api-error.ts';
import { type CatalogLock, catalogLock } from '../brand-catalog-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import { type AxisSelection, changedSelection, type WantedAxis } from './axis-selection.ts';
import {
  findLibraryAxes,
  getAxisSelection,
  readStoredSelection,
  replaceSelection,
} from './axis-selection-store.ts';
import {
  axisSelectionExample,
  EffectiveAxesWire,
  effectiveAxesToWire,
  ReplaceProductAxesBody,
} from './axis-selection-wire.ts';

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
const replaceProductAxesOperation = clientWrite({
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
  lock: catalogLock,
  handle: async (catalog, { params, body }) => {
    const selection = await replaceProductAxes(catalog, { productTuId: params.tuId, wanted: body.axes });
    return { status: 200, body: effectiveAxesToWire(selection) };
  },
});

interface SelectionChange {
  readonly productTuId: string;
  readonly wanted: readonly WantedAxis[];
}

/**
 * Replaces the selection of a product, and returns the new one; the same one changes nothing. Under the catalog lock, no variant
 * is created, and nothing of the library deleted, before the commit.
 * @throws ApiError `not_found`; see `changedSelection`
 */
export async function replaceProductAxes(
  catalog: CatalogLock,
  { productTuId, wanted }: SelectionChange,
): Promise<AxisSelection> {
  const [stored, axisLibrary] = await Promise.all([
    readStoredSelection(catalog, productTuId),
    findLibraryAxes(catalog, wanted),
  ]);
  if (stored === null) throw notFound();
  const { productId, current } = stored;
  const selection = changedSelection(wanted, { ...stored, axisLibrary });
  if (selection === current) return current;
  replaceSelection(catalog, { productId, stampedAt: catalog.next() }, selection);
  return selection;
}

export const axisSelectionOperations: readonly Operation[] = [
  getProductAxesOperation,
  replaceProductAxesOperation,
];
