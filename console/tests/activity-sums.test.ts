import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartsOf, lineOf, totalText } from '../src/parts/activity-sums.ts';
import { shortFigure } from '../src/parts/messages.ts';

const hourMs = 3_600_000;
const first = Date.parse('2026-03-01T00:00:00Z');
const none = { requests: 0, refused: 0, denied: 0, failed: 0, feed_lines: 0, refused_lines: 0, events: 0 };

/** 48 hours, of which some have counts, by their number. */
const hoursWith = (counts: Readonly<Record<number, object>>) =>
  Array.from({ length: 48 }, (_, hour) => ({
    ...none,
    at: new Date(first + hour * hourMs).toISOString(),
    ...counts[hour],
  }));

// [internal-195]
describe('the charts of activity', () => {
  it('show the last day, with what was not served apart, and the total of the day before', () => {
    const charts = chartsOf(
      hoursWith({
        0: { requests: 3, refused: 3 },
        23: { requests: 4 },
        24: { requests: 10, refused: 1, denied: 2, failed: 3, feed_lines: 9, refused_lines: 9 },
        47: { requests: 5, events: 7 },
      }),
    );
    const [requests, lines, events] = charts;
    assert.deepEqual(
      charts.map(({ label, total, before }) => [label, total, before]),
      [
        ['requests', 15, 7],
        ['feed lines', 9, 0],
        ['learning events', 7, 0],
      ],
    );
    assert.deepEqual([requests?.times.length, requests?.times[0]], [24, first + 24 * hourMs]);
    const ends = (chart: typeof requests) => chart?.series.map(({ values }) => [values[0], values.at(-1)]);
    assert.deepEqual(ends(requests), [
      [4, 5],
      [6, 0],
    ]);
    assert.deepEqual(ends(lines), [
      [0, 0],
      [9, 0],
    ]);
    assert.deepEqual(ends(events), [[0, 7]]);
  });

  it('have lines of the last 24 whole hours, without the one that runs', () => {
    const hours = hoursWith({
      22: { requests: 1 },
      23: { requests: 2 },
      46: { requests: 3 },
      47: { requests: 4 },
    });
    const line = lineOf(hours, ({ requests }) => requests);
    assert.deepEqual([line.length, line[0], line.at(-1)], [24, 2, 3]);
  });

  it('leave out what did not happen on either day', () => {
    assert.deepEqual(chartsOf(hoursWith({})), []);
    const charts = chartsOf(hoursWith({ 5: { events: 1 } }));
    assert.deepEqual(
      charts.map(({ label, total, before }) => [label, total, before]),
      [['learning events', 0, 1]],
    );
  });

  it('name one and many, and write large figures in few characters', () => {
    assert.deepEqual(
      [totalText('learning events', 1, 0), totalText('learning events', 2_000, 1)],
      ['1 learning event, 0 the day before', '2,000 learning events, 1 the day before'],
    );
    assert.deepEqual([0, 250, 1_250, 12_500, 200_000, 1_500_000_000].map(shortFigure), [
      '0',
      '250',
      '1.25K',
      '12.5K',
      '200K',
      '1.5B',
    ]);
  });
});
