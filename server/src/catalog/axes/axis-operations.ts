import { Type } from 'typebox';
import { ActiveFilter } from '../../api/field-schemas.ts';
import { clientWrite, type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { ApiError, notFound } from '../../errors/api-error.ts';
import { type CatalogLock, catalogLock, noteAxesChange } from '../brand-catalog-store.ts';
import { type Axis, addedAxisValue, changedEntry, type NewAxis, newAxis } from './axis.ts';
import {
  deleteEntry,
  findAxis,
  findAxisValue,
  insertAxis,
  insertAxisValues,
  listAxes,
  readAxisUse,
  readNewAxis,
  readNewAxisValue,
  readValueUse,
  updateEntry,
} from './axis-store.ts';
import {
  AxisOfValueParams,
  AxisParams,
  AxisValueParams,
  AxisValueWire,
  AxisWire,
  axisExample,
  axisFieldsFromWire,
  axisToWire,
  axisValueToWire,
  CreateAxisBody,
  CreateAxisValueBody,
  newAxisFromWire,
  newAxisValueFromWire,
  UpdateAxisBody,
  UpdateAxisValueBody,
} from './axis-wire.ts';

/** Includes inactive axes and values [catalog-29]. */
const listAxesOperation = readOperation({
  id: 'listAxes',
  method: 'GET',
  path: '/axes',
  tag: 'Axes',
  summary: 'List axes',
  description: `The brand's library of variant axes, ordered by \`position\`, then \`code\`. Each axis includes all of its values, ordered by
\`position\`, then \`value\`. Includes inactive axes and values; \`is_active\` filters the axes, not their values.`,
  access: ['catalog.products:read'],
  query: Type.Object({ is_active: ActiveFilter, ...pageQuery }),
  responses: {
    200: {
      description: 'One page of axes.',
      schema: listOf(AxisWire, 'AxisPage'),
      example: exampleListOf(axisExample.axis),
    },
  },
  handle: async ({ database }, { caller, query }) => {
    return pageReply(query, (page) => listAxes(database, caller.brandId, query.is_active, page), axisToWire);
  },
});

/** Creates the axis with its values, or nothing [catalog-30] [catalog-31] [catalog-130]. */
const createAxisOperation = clientWrite({
  id: 'createAxis',
  method: 'POST',
  path: '/axes',
  tag: 'Axes',
  summary: 'Create an axis',
  description: `Adds an axis to the brand's library, with or without values. \`position\` defaults to the next free one.
New axes and values are active. All axes of a brand have at most 50,000 values together.`,
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  body: CreateAxisBody,
  bodyExample: axisExample.create,
  responses: { 201: { description: 'The new axis.', schema: AxisWire, example: axisExample.created } },
  errors: ['duplicate_axis_code'],
  lock: catalogLock,
  handle: async (catalog, { body }) => {
    return { status: 201, body: axisToWire(await createAxis(catalog, newAxisFromWire(body))) };
  },
});

/** Changes everything but the code [catalog-33] [catalog-34]. */
const updateAxisOperation = clientWrite({
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
  lock: catalogLock,
  handle: async (catalog, { params, body }) => {
    const present = await findAxis(catalog, params.code);
    if (present === null) throw notFound();
    const axis = changedEntry(present, axisFieldsFromWire(body), catalog.now);
    if (axis !== present) {
      updateEntry(catalog, 'axes', axis);
      noteAxesChange(catalog);
    }
    return { status: 200, body: axisToWire(axis) };
  },
});

/** Refuses while the axis is in use [catalog-35]. */
const deleteAxisOperation = clientWrite({
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
  lock: catalogLock,
  handle: async (catalog, { params }) => {
    const axis = await readAxisUse(catalog, params.code);
    if (axis === null) throw notFound();
    if (axis.isInUse) throw new ApiError('axis_in_use');
    catalog.next();
    deleteEntry(catalog, 'axes', axis.id);
    noteAxesChange(catalog);
    return { status: 204 };
  },
});

/** Refuses a value that the axis has [catalog-32], and one too many [catalog-130]. */
const createAxisValueOperation = clientWrite({
  id: 'createAxisValue',
  method: 'POST',
  path: '/axes/:code/values',
  tag: 'Axes',
  summary: 'Add a value to an axis',
  description: `\`position\` defaults to the next free one. The new value is active. Products use it after they select it.
An axis has at most 20,000 values, and all axes of a brand 50,000.`,
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  params: AxisOfValueParams,
  body: CreateAxisValueBody,
  bodyExample: axisExample.createValue,
  responses: {
    201: { description: 'The new value.', schema: AxisValueWire, example: axisExample.createdValue },
  },
  errors: ['duplicate_axis_value'],
  lock: catalogLock,
  handle: async (catalog, { params, body }) => {
    const given = newAxisValueFromWire(body);
    const read = await readNewAxisValue(catalog, { code: params.code, value: given.value });
    if (read === null) throw notFound();
    const value = addedAxisValue(given, read, () => catalog.next());
    insertAxisValues(catalog, read.id, [value]);
    noteAxesChange(catalog);
    return { status: 201, body: axisValueToWire(value) };
  },
});

/** Changes everything but the value itself [catalog-33] [catalog-34]. */
const updateAxisValueOperation = clientWrite({
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
  lock: catalogLock,
  handle: async (catalog, { params, body }) => {
    const present = await findAxisValue(catalog, params);
    if (present === null) throw notFound();
    const value = changedEntry(present, axisFieldsFromWire(body), catalog.now);
    if (value !== present) {
      updateEntry(catalog, 'axis_values', value);
      noteAxesChange(catalog);
    }
    return { status: 200, body: axisValueToWire(value) };
  },
});

/** Refuses while the value is in use [catalog-36]. */
const deleteAxisValueOperation = clientWrite({
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
  lock: catalogLock,
  handle: async (catalog, { params }) => {
    const value = await readValueUse(catalog, params);
    if (value === null) throw notFound();
    if (value.isInUse) throw new ApiError('value_in_use');
    catalog.next();
    deleteEntry(catalog, 'axis_values', value.id);
    noteAxesChange(catalog);
    return { status: 204 };
  },
});

/**
 * Creates an axis with its values, or nothing.
 * @throws ApiError see `newAxis`
 */
export async function createAxis(catalog: CatalogLock, given: NewAxis): Promise<Axis> {
  const { id, ...before } = await readNewAxis(catalog, given.code);
  const axis = newAxis(given, before, () => catalog.next());
  insertAxis(catalog, { id, ...axis });
  noteAxesChange(catalog);
  return axis;
}

export const axisOperations: readonly Operation[] = [
  listAxesOperation,
  createAxisOperation,
  updateAxisOperation,
  deleteAxisOperation,
  createAxisValueOperation,
  updateAxisValueOperation,
  deleteAxisValueOperation,
];
