import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseInstant } from '../../../lib/instant.ts';
import { parseSentInstant } from '../sent-event.ts';

const number = (digits: number, max: number) =>
  fc.integer({ min: 0, max }).map((value) => String(value).padStart(digits, '0'));

const dateTime = fc
  .tuple(
    number(4, 9999),
    number(2, 13),
    number(2, 32),
    number(2, 24),
    number(2, 60),
    number(2, 60),
    fc.constantFrom('', '.5', '.123', '.1234', '.x23', ',123'),
    fc.constantFrom('Z', 'z', '+00:00', '-02:30', ''),
    fc.constantFrom('T', 't', ' '),
  )
  .map(
    ([year, month, day, hour, minute, second, fraction, zone, t]) =>
      `${year}-${month}-${day}${t}${hour}:${minute}:${second}${fraction}${zone}`,
  );

test('a date-time has the same result as with parseInstant', () => {
  fc.assert(
    fc.property(dateTime, (text) => assert.deepEqual(parseSentInstant(text), parseInstant(text))),
    { numRuns: 600 },
  );
});

test('a date-time with one wrong character has the same result as with parseInstant', () => {
  const good = [
    '2026-02-28T23:59:59Z',
    '2024-02-29T00:00:00.001Z',
    '0099-12-31T01:02:03Z',
    '9999-12-31T23:59:59.999Z',
  ];
  for (const text of good) {
    assert.notEqual(parseSentInstant(text), null);
    for (let at = 0; at <= text.length; at += 1)
      for (const wrong of ['', 'x', '/', ':', '٣', '0Z', ' ', '9']) {
        const changed = text.slice(0, at) + wrong + text.slice(at + 1);
        assert.deepEqual(parseSentInstant(changed), parseInstant(changed), changed);
      }
  }
});
