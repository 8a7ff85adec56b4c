import { writeOperation } from '../../../api/operation.ts';
import { createAxis } from '../axis-service.ts';
import { AxisWire, axisToWire, CreateAxisBody, newAxisFromWire } from '../axis-wire.ts';
import { getAxis } from '../queries/get-axis.ts';
import { axisExample } from './axis-example.ts';

/** Creates the axis with its values, or nothing [catalog-30] [catalog-31]. */
export const createAxisOperation = writeOperation({
  id: 'createAxis',
  method: 'POST',
  path: '/axes',
  tag: 'Axes',
  summary: 'Create an axis',
  description: `Adds an axis to the brand's library, with or without values. \`position\` defaults to the next free one.
New axes and values are active.`,
  access: ['catalog.axes:write'],
  idempotency: 'optional',
  lock: 'catalog',
  body: CreateAxisBody,
  bodyExample: axisExample.create,
  responses: { 201: { description: 'The new axis.', schema: AxisWire, example: axisExample.created } },
  errors: ['duplicate_axis_code'],
  handle: async (tx, { caller, body }) => {
    await createAxis(tx, newAxisFromWire(body));
    return { status: 201, body: axisToWire(await getAxis(tx, caller.brandId, body.code)) };
  },
});
