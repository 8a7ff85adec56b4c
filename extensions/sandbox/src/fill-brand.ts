import { addDays, daysOf, yesterdayOf } from '../../../server/src/analytics/day.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import type { InternalCall } from './internal-client.ts';

const dayCount = 30;
const learners = ['u-4711', 'u-4712'];
const contents = ['ep-12', 'ep-13'];

/** Gives the demonstration brand learning events of 30 days, until yesterday, and aggregates them. */
export async function fillBrand(call: InternalCall, brandId: number): Promise<void> {
  const to = yesterdayOf(systemClock.now());
  const from = addDays(to, 1 - dayCount);
  const items = daysOf({ from, to }).flatMap(eventsOfDay);
  await call('POST', `/brands/${brandId}/events`, { items });
  await call('POST', `/brands/${brandId}/aggregations`, { from, to });
}

function eventsOfDay(day: string, index: number): object[] {
  return learners.flatMap((user, which) => {
    const content = { type: 'episode', tu_id: contents[(index + which) % contents.length] };
    const event = (kind: string, hour: number, more: object) => ({
      event_id: `sandbox-${day}-${user}-${kind}`,
      occurred_at: `${day}T${String(hour + which).padStart(2, '0')}:15:00Z`,
      ...{ kind, user, content, ...more },
    });
    const seconds = 60 + ((index * 37 + which * 11) % 240);
    return [
      event('view', 9, { progress: (index * 13) % 101, time_spent_seconds: seconds }),
      ...(index % 3 === which
        ? [event('quiz', 11, { score: 50 + ((index * 7) % 51), questions: 5, answered: 5, xp_earned: 10 })]
        : []),
    ];
  });
}
