import { Type } from 'typebox';
import { ActiveFilter } from '../../api/field-schemas.ts';
import { type Operation, readOperation, setOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { mapSet } from '../brand-set.ts';
import { axisExample } from './axis-example.ts';
import {
  createAxisValueOperation,
  deleteAxisValueOperation,
  updateAxisValueOperation,
} from './axis-value-operations.ts';
import {
  AxisParams,
  AxisWire,
  axisFieldsFromWire,
  axisToWire,
  CreateAxisBody,
  newAxisFromWire,
  UpdateAxisBody,
} from './axis-wire.ts';
import { openAxisChanges, openAxisDeletions } from './library-changes.ts';
import { openAxisCreations } from './library-creations.ts';
import { listAxes } from './queries/axis-list.ts';

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
      schema: listOf(AxisWire),
      example: exampleListOf(axisExample.axis),
    },
  },
  handle: async ({ database }, { caller, query }) => {
    return pageReply(query, (page) => listAxes(database, caller.brandId, query.is_active, page), axisToWire);
  },
});

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

export const axisOperations: readonly Operation[] = [
  listAxesOperation,
  createAxisOperation,
  updateAxisOperation,
  deleteAxisOperation,
  createAxisValueOperation,
  updateAxisValueOperation,
  deleteAxisValueOperation,
];
