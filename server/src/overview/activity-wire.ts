import { type Static, Type } from 'typebox';
import { Timestamp } from '../api/field-schemas.ts';

const mostHours = 168;
export const defaultHours = 24;

export const ActivityQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostHours,
      default: defaultHours,
      examples: [48],
      description: 'The number of UTC hours, the current one included.',
    }),
  ),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ActivityHourWire = Type.Object({
  at: Timestamp({ description: 'The start of the hour, in UTC.' }),
  requests: count('All requests of API keys.'),
  refused: count('Requests rejected with another 4xx than 429.'),
  denied: count('Requests rejected with 429.'),
  failed: count('Requests that failed with 5xx.'),
  feed_lines: count(
    'Decided lines of stock feeds, in the hour in which the last line of their feed was decided.',
  ),
  refused_lines: count('Lines of an unknown SKU or location, or of one that has no stock.'),
  events: count('Learning events that were accepted.'),
});

export const ActivityWire = Type.Object({ data: Type.Array(ActivityHourWire) });

export const activityExample: Static<typeof ActivityWire> = {
  data: [
    {
      at: '2026-03-02T08:00:00.000Z',
      requests: 5_160,
      refused: 12,
      denied: 3,
      failed: 0,
      feed_lines: 40_000,
      refused_lines: 7,
      events: 1_820,
    },
  ],
};
