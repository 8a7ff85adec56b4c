import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, counterAt } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { admin } = apps;
const { brandId } = await apps.newBrand();
const path = `/brands/${brandId}/events`;
await admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'u-1' }] });
const strict = { prefer: 'handling=strict' };
let events = 0;

function eventOf(more: object = {}) {
  events += 1;
  const content = { type: 'episode', tu_id: 'ep-1' };
  const occurred_at = '2026-03-01T10:15:00Z';
  return { event_id: `n-${events}`, occurred_at, kind: 'view', user: 'u-1', content, ...more };
}

function postLines(lines: object[], headers: Record<string, string> = {}) {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  return admin.post(path, body, { 'content-type': 'application/x-ndjson', ...headers });
}

const odd = { titel: 'x', content: { type: 'episode', tu_id: 'ep-1', name: 'x' } };

describe('unknown names in events', () => {
  it('are listed with their position, in items and in lines, and the events are stored', async () => {
    const items = [eventOf(), eventOf(odd)];
    const asJson = await admin.post(`${path}?x=1`, { source: 'lms', items, mode: 'all' });
    assert.deepEqual([asJson.status, asJson.json.accepted], [200, 2]);
    assert.equal(
      asJson.headers['x-ignored'],
      'body.source, body.mode, body.items.1.content.name, body.items.1.titel, query.x',
    );
    const asLines = await postLines([eventOf(), eventOf({ titel: 'x' })]);
    assert.deepEqual([asLines.json.accepted, asLines.headers['x-ignored']], [2, 'body.1.titel']);
    const clean = await admin.post(path, { items: [eventOf()] });
    assert.equal('x-ignored' in clean.headers, false);
    const counted = await counterAt(apps.metrics, 'brandport_ignored_fields_total', {
      operation: 'postLearningEvents',
    });
    assert.equal(counted, 2);
  });

  it('cause a rejection of only their event under strict handling', async () => {
    const items = [eventOf(odd), eventOf(), eventOf({ xp_earnt: 1 })];
    const asJson = await admin.post(path, { items }, strict);
    const asLines = await postLines(items, strict);
    for (const { status, headers, json } of [asJson, asLines]) {
      assert.deepEqual([status, headers['preference-applied']], [200, 'handling=strict']);
      assert.deepEqual(json.rejected, [
        { index: 0, message: 'content.name is not a known field; the nearest one is "type"' },
        { index: 2, message: 'xp_earnt is not a known field; did you mean "xp_earned"?' },
      ]);
      assert.equal('x-ignored' in headers, false);
    }
    assert.deepEqual([asJson.json.accepted, asLines.json.accepted, asLines.json.duplicates], [1, 0, 1]);
  });

  it('cause a rejection of the request under strict handling when they are next to items', async () => {
    const event = eventOf();
    const answer = await admin.post(path, { item: [], source: 'x', items: [event] }, strict);
    assertRefused(answer, 'validation_failed', ['item', 'source']);
    assert.deepEqual(answer.json.errors.item, ['is not a known field; did you mean "items"?']);
    assert.equal((await admin.post(path, { items: [event] })).json.accepted, 1);
  });

  // [platform-79]
  it('are listed for the first 1,000 events, at most 20, also in an error response', async () => {
    const many = Array.from({ length: 1_002 }, (_, index) => eventOf(index >= 999 ? { odd: 1 } : {}));
    assert.equal((await admin.post(path, { items: many })).headers['x-ignored'], 'body.items.999.odd');
    const all = await admin.post(path, { items: many.map((event) => ({ ...event, a: 1 })) });
    assert.equal(all.headers['x-ignored']?.split(', ').length, 20);
    const refused = await admin.post(path, { events: [] });
    assertRefused(refused, 'validation_failed', ['items']);
    assert.equal(refused.headers['x-ignored'], 'body.events');
  });
});
