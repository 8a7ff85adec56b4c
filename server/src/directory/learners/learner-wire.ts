import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import { DirectoryTuId, itemsOf } from '../directory-wire.ts';
import type { LearnerItem } from './learner-store.ts';

// Other keys are rejected, so that no personal attribute is accepted unnoticed.
export const PutLearnersBody = itemsOf(
  Type.Object(
    {
      tu_id: DirectoryTuId,
      market: Type.Optional(
        Nullable(Type.String(), {
          description: '`tu_id` of a market of the brand. null clears it; absent leaves it unchanged.',
        }),
      ),
      analytics_opt_out: Type.Optional(
        Type.Boolean({
          description: '`true`: excluded from all analytics from now on. Default for a new learner: `false`.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

export function learnerItemsFromWire({ items }: Static<typeof PutLearnersBody>): LearnerItem[] {
  return items.map(({ tu_id: tuId, market, analytics_opt_out: analyticsOptOut }) => {
    return { tuId, market, analyticsOptOut };
  });
}

export const LearnerWire = Type.Object({
  tu_id: Type.String(),
  market: Nullable(Type.String()),
  analytics_opt_out: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export const learnerExample: Static<typeof LearnerWire> = {
  tu_id: 'u-4711',
  market: 'de-north',
  analytics_opt_out: false,
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

const Day = () => Type.String({ format: 'date' });

export const LearnerDetailWire = Type.Object({
  ...LearnerWire.properties,
  first_day: Nullable(Day(), {
    description: 'The first day with events or datasets of the learner, UTC; null without any.',
  }),
  last_day: Nullable(Day(), { description: 'The last of these days.' }),
  stale_aggregate_days: Type.Array(Day(), {
    description:
      'Days whose aggregates include the learner although the learner has opted out, ascending. Empty for others.',
  }),
});

export const learnerDetailExample: Static<typeof LearnerDetailWire> = {
  ...learnerExample,
  analytics_opt_out: true,
  first_day: '2026-01-12',
  last_day: '2026-02-27',
  stale_aggregate_days: ['2026-01-12', '2026-02-27'],
};
