import { operationKit } from '../../api/operation.ts';
import type { OverviewContext } from '../overview-context.ts';
import { OverviewWire, overviewExample, overviewToWire } from '../overview-wire.ts';
import { readOverview } from '../read-overview.ts';

const { readOperation } = operationKit<OverviewContext>();

/** Shows what needs attention, in one request [internal-178]. */
export const getOverviewOperation = readOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/overview',
  tag: 'Overview',
  summary: 'Get the overview',
  description:
    'Returns figures that tell at a glance whether somebody is needed. Callers other than administrators receive the figures of their brands. Everything else is still returned while Redis or the analytics store is unavailable.',
  access: 'brands',
  responses: { 200: { description: 'The overview.', schema: OverviewWire, example: overviewExample } },
  handle: async (context, { internalCaller }) => {
    const overview = await readOverview(context, internalCaller);
    return { status: 200, body: overviewToWire(overview, context) };
  },
});
