import { Type } from 'typebox';
import { ActiveFilter } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { AxisWire, axisToWire } from '../axis-wire.ts';
import { listAxes } from '../queries/axis-list.ts';
import { axisExample } from './axis-example.ts';

/** Includes inactive axes and values [catalog-29]. */
export const listAxesOperation = readOperation({
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
