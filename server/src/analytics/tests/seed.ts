import assert from 'node:assert/strict';
import type { TestApps, TestBrand } from '../../../test/support/test-apps.ts';
import { randomHex } from '../../lib/ids.ts';
import { addDays, type Day, type DayRange } from '../day.ts';

/** The fields of an event that a test can set; by default, a view of episode `c0` by `u0`. */
export interface SeedEvent {
  readonly day: Day;
  readonly user?: string;
  readonly type?: string;
  readonly content?: string;
  readonly kind?: string;
  readonly [more: string]: unknown;
}

/** Creates a brand with a directory over the internal surface, as a platform does. */
export interface SeededBrand extends TestBrand {
  put(path: string, items: readonly object[]): Promise<void>;
  send(events: readonly SeedEvent[]): Promise<void>;
  aggregate(range: DayRange): Promise<void>;
}

export async function newSeededBrand(
  apps: TestApps,
  directory: { users?: readonly string[]; contents?: readonly string[]; markets?: readonly string[] } = {},
): Promise<SeededBrand> {
  const brand = await apps.newBrand();
  const url = `/brands/${brand.brandId}`;
  const put = async (path: string, items: readonly object[]) => {
    const { status, text } = await apps.admin.put(`${url}/${path}`, { items });
    assert.equal(status, 200, text);
  };
  const { users = ['u0'], contents = ['episode/c0'], markets = [] } = directory;
  const asItems = (tuIds: readonly string[]) => tuIds.map((tu_id) => ({ tu_id }));
  if (markets.length > 0) await put('markets', asItems(markets));
  await put('users', asItems(users));
  await put(
    'contents',
    contents.map((content) => {
      const [type, tu_id] = content.split('/');
      return { type, tu_id, name: `Name of ${tu_id}` };
    }),
  );
  return {
    ...brand,
    put,
    async send(events) {
      const lines = events.map(
        ({ day, user = 'u0', type = 'episode', content = 'c0', kind = 'view', ...more }) =>
          JSON.stringify({
            event_id: randomHex(16),
            occurred_at: `${day}T12:00:00Z`,
            kind,
            user,
            content: { type, tu_id: content },
            ...more,
          }),
      );
      const { status, text, json } = await apps.admin.request('POST', `${url}/events`, {
        body: lines.join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(status, 200, text);
      assert.deepEqual(json.rejected, []);
    },
    async aggregate({ from, to }) {
      // A request accepts at most a month.
      for (let first = from; first <= to; first = addDays(first, 31)) {
        const last = addDays(first, 30);
        const part = { from: first, to: last < to ? last : to };
        const { status, text } = await apps.admin.post(`${url}/aggregations`, part);
        assert.equal(status, 200, text);
      }
    },
  };
}
