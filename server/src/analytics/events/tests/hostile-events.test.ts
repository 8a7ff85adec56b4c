import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { brandId } = await apps.newBrand();
const path = `/brands/${brandId}/events`;
await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'ann' }] });

let events = 0;
function event(padding = ''): string {
  events += 1;
  return `{"event_id": "h-${events}", "occurred_at": "2026-03-01T10:00:00Z", "kind": "view", "user": "ann", "content": {"type": "episode", "tu_id": "c"}, "padding": "${padding}"}`;
}

const sendJson = (items: readonly string[], more = '') =>
  apps.admin.post(path, `{"items": [${items}]${more}}`);
const sendLines = (lines: readonly string[]) =>
  apps.admin.request('POST', path, {
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
const storedEvents = async () => {
  const [row] = await apps.sql<{ count: number }>(
    'select count(*)::integer from analytics.learning_events where brand_id = $1',
    [brandId],
  );
  return row?.count ?? 0;
};

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const deepMessage = 'must be nested at most 64 levels deep';
const deepEvent = (levels: number) => event().replace('"padding": ""', `"padding": ${nested(levels)}`);

describe('an event that is nested too deeply', () => {
  const others = (count: number) => Array.from({ length: count }, () => event('x'.repeat(1_000)));

  for (const [what, send, count] of [
    ['a JSON body of over 1 MiB', sendJson, 1_500],
    ['a small JSON body', sendJson, 3],
    ['a stream', sendLines, 3],
  ] as const)
    for (const [how, bad] of [
      ['20,000 levels', nested(20_000)],
      ['20,000 levels in a field', deepEvent(20_000)],
      ['64 levels in a field', deepEvent(64)],
    ] as const)
      it(`is rejected, and the others are stored: ${how}, ${what}`, async () => {
        const answer = await send([...others(count), bad, ...others(2)]);
        assert.deepEqual(
          [answer.status, answer.json.accepted, answer.json.rejected],
          [200, count + 2, [{ index: count, message: deepMessage }]],
          answer.text,
        );
      });

  it('is accepted at the limit', async () => {
    assert.equal((await sendJson([deepEvent(63)])).json.accepted, 1);
    assert.equal((await sendLines([deepEvent(63)])).json.accepted, 1);
  });
});

describe('a list of events', () => {
  it('has items of up to 64 KiB', async () => {
    const fits = event('x'.repeat(65_536 - event().length));
    assert.equal(fits.length, 65_536);
    const answer = await sendJson([event(), event('x'.repeat(65_536)), fits, event('ü'.repeat(40_000))]);
    assert.deepEqual(
      [answer.json.accepted, answer.json.rejected],
      [2, [1, 3].map((index) => ({ index, message: 'the item is longer than 64 KiB' }))],
    );
  });

  it('changes nothing if its JSON is invalid at any position', async () => {
    const before = await storedEvents();
    const items = Array.from({ length: 6_000 }, () => event());
    for (const broken of [`{"items": [${items}]`, `{"items": [${items},]}`, `{"items": [${items}]} x`])
      assertRefused(await apps.admin.post(path, broken), 'validation_failed', ['body']);
    assert.equal(await storedEvents(), before);
  });

  it('is the last one if the body has several', async () => {
    const answer = await sendJson(['1', '2'], `, "other": [3], "items": [${event()}]`);
    assert.deepEqual([answer.json.accepted, answer.json.rejected_count], [1, 0]);
    assertRefused(await sendJson(['1'], ', "items": null'), 'validation_failed', ['items']);
  });
});
