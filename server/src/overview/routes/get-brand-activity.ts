import { readOperation } from '../../api/operation.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { ActivityQuery, ActivityWire, activityExample, defaultHours } from '../activity-wire.ts';
import { readActivity } from '../read-activity.ts';

/** Shows what happened in a brand, for a chart [internal-195] [D252]. */
export const getBrandActivityOperation = readOperation({
  id: 'getBrandActivity',
  method: 'GET',
  path: '/brands/:id/activity',
  tag: 'Brands',
  summary: 'Get the activity of a brand by hour',
  description: `Counts the requests of the brand’s keys, the lines of its stock feeds and its learning events by UTC hour.
Requests and events are up to ten seconds late, and kept for \`BRANDPORT_KEEP_KEY_USAGE\`. All decided lines of a feed
count in the hour of the last one.`,
  access: 'brand',
  params: BrandParams,
  query: ActivityQuery,
  responses: {
    200: {
      description: 'The hours, oldest first; those without activity too.',
      schema: ActivityWire,
      example: activityExample,
    },
  },
  handle: async ({ database, clock }, { params, query }) => {
    const { id } = await getBrand(database, brandIdFromPath(params.id));
    const range = { hours: query.hours ?? defaultHours, now: clock.now() };
    return { status: 200, body: { data: await readActivity(database, [id], range) } };
  },
});
