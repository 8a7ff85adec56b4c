import { readOperation } from '../../api/operation.ts';
import { ActivityQuery, ActivityWire, activityExample, defaultHours } from '../activity-wire.ts';
import { readActivity } from '../read-activity.ts';

/** Shows the activity of all brands [internal-195]. */
export const getActivityOperation = readOperation({
  id: 'getActivity',
  method: 'GET',
  path: '/activity',
  tag: 'Overview',
  summary: 'Get the activity by hour',
  description:
    'Adds up the activity of all brands, or of those that the caller may see. See the activity of a brand for what counts.',
  access: 'brands',
  query: ActivityQuery,
  responses: {
    200: {
      description: 'The hours, oldest first; those without activity too.',
      schema: ActivityWire,
      example: activityExample,
    },
  },
  handle: async ({ database, clock }, { query, internalCaller }) => {
    const range = { hours: query.hours ?? defaultHours, now: clock.now() };
    return { status: 200, body: { data: await readActivity(database, internalCaller.brandIds, range) } };
  },
});
