import { addDays } from '../../../../../server/src/analytics/day.ts';
import type { AnalyticsStore } from '../../../../../server/src/analytics/store/analytics-store.ts';
import type { LearningEvent } from '../../../../../server/src/analytics/store/learning-event.ts';
import { aggregate, eventOn } from '../../../../../server/src/analytics/tests/store-samples.ts';

/** The days of all events, in two months. */
export const days = { from: '2026-01-28', to: '2026-02-03' };

/** Returns events on all days, always the same. Their ids have every character that a tab-separated value escapes. */
export function eventsOf(name: string, count = 300): LearningEvent[] {
  return Array.from({ length: count }, (_, n) =>
    eventOn(addDays(days.from, n % 7), {
      eventId: `${name} ${n} \t\n\\ "'é\u{1f600}`,
      learnerId: 1 + (n % 9),
      contentRefId: 1 + (n % 5),
      marketId: n % 2 === 0 ? null : 1,
      progress: n % 3 === 0 ? n / 8 : null,
    }),
  );
}

/** Adds events and aggregates them so that later days have several layers. */
export async function fillStore(store: AnalyticsStore, brandId: number): Promise<void> {
  await store.appendEvents(brandId, eventsOf('early'));
  await aggregate(store, brandId, days, { marketIds: [1] });
  for (const name of ['late', 'later']) {
    await store.appendEvents(brandId, eventsOf(name, 2));
    await aggregate(store, brandId, { from: days.from, to: addDays(days.from, 1) }, { marketIds: [1] });
  }
}
