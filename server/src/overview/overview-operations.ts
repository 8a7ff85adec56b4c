import { type Operation, operationKit } from '../api/operation.ts';
import { getBrand } from '../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../brands/brand-wire.ts';
import {
  ActivityQuery,
  ActivityWire,
  activityExample,
  defaultHours,
  readActivity,
} from './activity-store.ts';
import { type OverviewContext, readOverview } from './overview-store.ts';
import { OverviewWire, overviewExample, overviewToWire } from './overview-wire.ts';

const { readOperation } = operationKit<OverviewContext>();

/** Shows what needs attention, in one request [internal-178]. */
const getOverviewOperation = readOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/overview',
  tag: 'Overview',
  summary: 'Get the overview',
  description:
    'Returns figures that tell at a glance whether somebody is needed. Callers other than administrators receive the figures of their brands. Everything else is still returned while Redis or the analytics store is unavailable.',
  access: 'filtered-by-brand',
  responses: { 200: { description: 'The overview.', schema: OverviewWire, example: overviewExample } },
  handle: async (context, { internalCaller }) => {
    const overview = await readOverview(context, internalCaller);
    return { status: 200, body: overviewToWire(overview, context) };
  },
});

const activityResponses = {
  200: {
    description: 'The hours, oldest first; those without activity too.',
    schema: ActivityWire,
    example: activityExample,
  },
};

/** Shows the activity of all brands [internal-195]. */
const getActivityOperation = readOperation({
  id: 'getActivity',
  method: 'GET',
  path: '/activity',
  tag: 'Overview',
  summary: 'Get the activity by hour',
  description:
    'Adds up the activity of all brands, or of those that the caller may see. See the activity of a brand for what counts.',
  access: 'filtered-by-brand',
  query: ActivityQuery,
  responses: activityResponses,
  handle: async ({ database, clock }, { query, internalCaller }) => {
    const range = { hours: query.hours ?? defaultHours, now: clock.now() };
    return { status: 200, body: { data: await readActivity(database, internalCaller.brandIds, range) } };
  },
});

/** Shows what happened in a brand, for a chart [internal-195] [D143]. */
const getBrandActivityOperation = readOperation({
  id: 'getBrandActivity',
  method: 'GET',
  path: '/brands/:id/activity',
  tag: 'Brands',
  summary: 'Get the activity of a brand by hour',
  description: `Counts the requests of the brand’s keys, the lines of its stock feeds and its learning events by UTC hour.
Requests and events are up to ten seconds late, and kept for \`BRANDPORT_KEEP_KEY_USAGE\`. All decided lines of a feed
count in the hour of the last one.`,
  access: 'one-brand',
  params: BrandParams,
  query: ActivityQuery,
  responses: activityResponses,
  handle: async ({ database, clock }, { params, query }) => {
    const { id } = await getBrand(database, brandIdFromPath(params.id));
    const range = { hours: query.hours ?? defaultHours, now: clock.now() };
    return { status: 200, body: { data: await readActivity(database, [id], range) } };
  },
});

export const overviewOperations: readonly Operation<OverviewContext>[] = [
  getOverviewOperation,
  getActivityOperation,
  getBrandActivityOperation,
];
