import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { eventOn } from '../../../tests/store-samples.ts';
import { createAnalyticsStore } from '../../analytics-store.ts';

const { address, beforeClose, sql } = await createTestDatabase();
const store = createAnalyticsStore({ address });
beforeClose(() => store.close());

test('events are stored exactly, with any characters, days and numbers', async () => {
  const ids = [
    'NULL',
    'null',
    '"',
    '\\',
    '\\"',
    '{}',
    'a,b',
    ' ',
    '\t\n',
    "'",
    '😀é',
    '\\N',
    '""',
    '{"a":1}',
    '١',
  ];
  const events = [
    ...ids.map((eventId, index) => eventOn('2026-01-01', { eventId, learnerId: index })),
    eventOn('0001-01-01', { eventId: 'first', occurredAt: new Date('0001-01-01T00:00:00.001Z') }),
    eventOn('1969-12-31', {
      eventId: 'before',
      occurredAt: new Date('1969-12-31T23:59:59.999Z'),
      marketId: 7,
    }),
    eventOn('9999-12-31', { eventId: 'last', occurredAt: new Date('9999-12-31T23:59:59.999Z') }),
    eventOn('2026-01-01', {
      eventId: 'numbers',
      contentType: 'null',
      progress: 0.1 + 0.2,
      score: 1e-7,
      questions: 0,
      answered: 2_147_483_647,
      timeSpentSeconds: 2_147_483_647,
      learnerId: 2 ** 53 - 1,
    }),
  ];
  assert.deepEqual(await store.appendEvents(1, events), {
    accepted: events.length,
    duplicates: 0,
    keptSince: null,
  });
  const rows = await sql(
    `select event_id, to_char(day, 'YYYY-MM-DD') as day, occurred_at, kind, user_id, content_ref_id, content_type,
       market_id, progress::float8, score::float8, questions, answered, time_spent_seconds, xp_earned
     from analytics.learning_events`,
  );
  const byId = new Map(rows.map((row) => [row['event_id'], row]));
  for (const event of events)
    assert.deepEqual(byId.get(event.eventId), {
      event_id: event.eventId,
      day: event.day,
      occurred_at: event.occurredAt,
      kind: event.kind,
      user_id: event.learnerId,
      content_ref_id: event.contentRefId,
      content_type: event.contentType,
      market_id: event.marketId,
      progress: event.progress,
      score: event.score,
      questions: event.questions,
      answered: event.answered,
      time_spent_seconds: event.timeSpentSeconds,
      xp_earned: event.xpEarned,
    });
  assert.equal(rows.length, events.length);
});
