import type { FastifyBaseLogger } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { EventsTaken } from '../../analytics/events/sent-event.ts';
import type { AnalyticsStore } from '../../analytics/store/analytics-store.ts';

const outcomes = ['completed', 'busy', 'failed'] as const;
const eventResults = ['accepted', 'duplicate', 'excluded', 'rejected'] as const;

/** Returns the store with every aggregation counted, measured and logged. */
export function observeAggregations(
  store: AnalyticsStore,
  registry: Registry,
  logger: Pick<FastifyBaseLogger, 'info'>,
): AnalyticsStore {
  const runs = new Counter({
    name: 'brandport_aggregations_total',
    help: 'Aggregations of a window of days, by outcome; `busy`: another process aggregates the brand.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'brandport_aggregation_duration_seconds',
    help: 'Duration of completed aggregations of a window of days, in seconds.',
    buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers: [registry],
  });
  const days = new Counter({
    name: 'brandport_aggregated_days_total',
    help: 'Days aggregated, each brand’s counted separately.',
    registers: [registry],
  });
  for (const outcome of outcomes) runs.inc({ outcome }, 0);
  return {
    ...store,
    aggregate: async (brandId, range, readFacts, options) => {
      const startedAt = performance.now();
      const result = await store.aggregate(brandId, range, readFacts, options).catch((error: unknown) => {
        runs.inc({ outcome: 'failed' });
        throw error;
      });
      runs.inc({ outcome: result === null ? 'busy' : 'completed' });
      if (result === null) return null;
      const ms = Math.round(performance.now() - startedAt);
      durations.observe(ms / 1_000);
      days.inc(result.days);
      const rows = Object.values(result.rows).reduce((sum, count) => sum + count, 0);
      logger.info({ brand_id: brandId, ...range, days: result.days, rows, ms }, 'days aggregated');
      return result;
    },
  };
}

export function observeIntake(registry: Registry): (intake: EventsTaken) => void {
  const events = new Counter({
    name: 'brandport_learning_events_total',
    help: 'Learning events of finished requests, by result; `excluded`: of learners who have opted out.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of eventResults) events.inc({ result }, 0);
  return ({ accepted, duplicates, excluded, rejected_count: rejected }) => {
    events.inc({ result: 'accepted' }, accepted);
    events.inc({ result: 'duplicate' }, duplicates);
    events.inc({ result: 'excluded' }, excluded);
    events.inc({ result: 'rejected' }, rejected);
  };
}
