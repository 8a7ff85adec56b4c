import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { LearningEventWire } from '../event-operations.ts';
import { readSentEvent } from '../sent-event.ts';

const now = Date.parse('2026-03-02T00:00:00Z');
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isDocumented = ajv.compile(LearningEventWire);

const valid = {
  event_id: 'evt-1',
  occurred_at: '2026-03-01T10:15:00+01:00',
  kind: 'quiz',
  user: 'u-1',
  content: { type: 'episode', tu_id: 'ep-1' },
  score: 80,
};

/** Values at and beyond the edges of the fields. */
const edges = [undefined, null, '', 'x', 'x'.repeat(64), 'x'.repeat(65), 'a b', 0, 1, 1.5, -1, 100, 100.5]
  .concat([2 ** 31 - 1, 2 ** 31] as never)
  .concat([true, [], {}, { type: 'episode', tu_id: 'e' }, { type: 'Episode', tu_id: 'e' }] as never)
  .concat(['view', 'completion', 'success', 'quiz', '2026-03-01T10:15:00Z', '2026-03-01'] as never);
const fields = [...Object.keys(LearningEventWire.properties), 'unknown'];

describe('the documented schema of an event', () => {
  it('accepts every event that the server accepts, and has all of its fields', () => {
    assert.equal(typeof readSentEvent(valid, now), 'object');
    const changes = fc.array(fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...edges)), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(changes, (chosen) => {
        const event = Object.fromEntries(
          Object.entries({ ...valid, ...Object.fromEntries(chosen) }).filter(
            ([, value]) => value !== undefined,
          ),
        );
        const isTaken = typeof readSentEvent(event, now) !== 'string';
        assert.ok(!isTaken || isDocumented(event), JSON.stringify([event, isDocumented.errors]));
      }),
      { numRuns: 1_000 },
    );
  });

  it('rejects every event that the server rejects for the form of a field', () => {
    for (const [field, value] of [
      ['event_id', ''],
      ['event_id', 'x'.repeat(65)],
      ['kind', 'glance'],
      ['user', 'a b'],
      ['content', { type: 'Episode', tu_id: 'e' }],
      ['market', ''],
      ['progress', 101],
      ['score', -1],
      ['questions', 1.5],
      ['time_spent_seconds', 2 ** 31],
      ['xp_earned', -1],
    ] as const) {
      const event = { ...valid, [field]: value };
      assert.equal(typeof readSentEvent(event, now), 'string', field);
      assert.equal(isDocumented(event), false, field);
    }
    for (const field of ['event_id', 'occurred_at', 'kind', 'user', 'content']) {
      const { [field as 'kind']: _left, ...event } = valid;
      assert.equal(typeof readSentEvent(event, now), 'string', field);
      assert.equal(isDocumented(event), false, field);
    }
  });
});
