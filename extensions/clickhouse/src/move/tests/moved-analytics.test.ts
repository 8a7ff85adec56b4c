import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lists } from '../../../../../server/src/analytics/datasets/tests/listed-brand.ts';
import { addDays, type DayRange, yesterdayOf } from '../../../../../server/src/analytics/day.ts';
import {
  newSeededBrand,
  type SeedEvent,
  type SeededBrand,
} from '../../../../../server/src/analytics/tests/seed.ts';
import type { ApiClient } from '../../../../../server/test/support/api-client.ts';
import { withCell } from '../../../../brand-moves/src/move-connection.ts';
import { removeBrand } from '../../../../brand-moves/src/remove-brand.ts';
import { exportTo, importFrom } from '../../../../brand-moves/src/tests/moved-brand.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { aged, newCell } from './clickhouse-cells.ts';

const quietly = { log: () => {}, cancelled: new AbortController().signal };
const users = ['u0', 'u1', 'u2', 'u3'];
const contents = ['episode/c0', 'episode/c1', 'program/p0'];
const directory = { users, contents, markets: ['fr', 'de'] };

type Cell = Awaited<ReturnType<typeof newCell>>;
type Page = Awaited<ReturnType<ApiClient['get']>>;

// [D215]
describe('a brand that moves between cells with ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const source = await newCell(1);
  const target = await newCell(1_000);
  const last = addDays(yesterdayOf(source.apps.clock.now()), -1);
  const range: DayRange = { from: addDays(last, -40), to: last };
  const dayAt = (place: number) => addDays(range.from, place);
  const window = `from=${range.from}&to=${range.to}`;

  /** Events of all learners, contents and markets on some days of two months; the same for the same place. */
  const eventsAt = (name: string, places: readonly number[]): SeedEvent[] =>
    places.flatMap((place) =>
      users.flatMap((user, index) => ({
        event_id: `${name} ${place} ${user} \t\\ "é`,
        day: dayAt(place),
        user,
        market: index % 2 === 0 ? 'fr' : 'de',
        ...([
          { type: 'episode', content: 'c0', kind: 'view', progress: 33.333333 },
          { type: 'program', content: 'p0', kind: 'completion', xp_earned: 7 },
          { type: 'episode', content: 'c1', kind: 'quiz', score: 66.666666, questions: 3, answered: 2 },
        ][(place + index) % 3] as object),
      })),
    );
  const early = eventsAt('early', [0, 1, 2, 9, 20, 33, 39, 40]);
  const late = eventsAt('late', [1, 20]);
  const later = eventsAt('later', [0, 2, 33]);

  /** Fills a brand so that its days have several layers, and running totals. */
  async function fill(cell: Cell): Promise<SeededBrand> {
    const brand = await newSeededBrand(cell.apps, directory);
    await brand.send(early);
    await brand.aggregate(range);
    await cell.store.upkeep(last);
    await brand.send(late);
    await brand.aggregate({ from: dayAt(1), to: dayAt(1) });
    await brand.aggregate({ from: dayAt(20), to: dayAt(20) });
    return brand;
  }

  const brand = await fill(source);
  const reference = await fill(source);
  const [stays, there] = [await fill(source), await fill(target)];

  /** A client of the brand in a cell, with the key that it has had from the beginning. */
  const clientIn = (cell: Cell, { apiKey }: SeededBrand) => cell.apps.clientWith(apiKey);

  async function get(client: ApiClient, path: string, headers?: Record<string, string>): Promise<Page> {
    const page = await client.get(path, headers);
    assert.ok(page.status === 200 || page.status === 304, page.text);
    return page;
  }

  /** Every page of each dataset, byte for byte, and the changed days. Cursors differ in each response, and are followed. */
  async function readPages(client: ApiClient): Promise<string[]> {
    const changed = 'changes_since=daily:0,contents:0,users:0,content_engagement:0';
    const status = await get(client, `/analytics/status?${changed}`);
    const pages: string[] = [JSON.stringify(status.json.datasets).replaceAll(/"as_of":"[^"]+"/g, '')];
    for (const list of lists)
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/analytics${list}?${window}&per_page=7${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
        const page = await get(client, path);
        const next = page.json.meta.next_cursor ?? null;
        const revision = page.headers['brandport-window-revision'];
        pages.push([list, revision, page.text.replace(next ?? 'no cursor', '')].join('\n'));
        cursor = next;
      }
    return pages;
  }

  /** The rows of all datasets, as another brand with the same learners and contents has them. */
  async function readData(client: ApiClient): Promise<unknown[]> {
    const pages = lists.map((list) => get(client, `/analytics${list}?${window}&per_page=500`));
    return (await Promise.all(pages)).map(({ json }) => json.data);
  }

  async function move(from: Cell, to: Cell): Promise<void> {
    // Otherwise written in the background, seconds later.
    await from.apps.keyUsage.flush();
    const file = await exportTo(from.cell, brand.brandId);
    await importFrom(file, to.cell);
    await withCell(from.cell, (cell) => removeBrand(cell, brand.brandId, quietly));
  }

  const path = `/analytics/users/contents?${window}&per_page=5`;
  const first = await get(clientIn(source, brand), path);
  const cursor = encodeURIComponent(first.json.meta.next_cursor);
  const second = await get(clientIn(source, brand), `${path}&cursor=${cursor}`);
  const pages = await readPages(clientIn(source, brand));
  const others = [await readPages(clientIn(source, stays)), await readPages(clientIn(target, there))];
  const [layers] = await source.analyticsSql<{ most: number }>(
    `select max(cardinality(generations)) as most from analytics.published_layers where brand_id = ${brand.brandId}`,
  );
  const assertOthersStay = async () => {
    assert.deepEqual(
      [await readPages(clientIn(source, stays)), await readPages(clientIn(target, there))],
      others,
    );
    for (const [cell, other] of [
      [source, stays],
      [target, there],
    ] as const)
      assert.deepEqual(await cell.examine(other.brandId), []);
  };

  it('has the same bytes, revisions and cursors in the other cell, and no row is left in the first', async () => {
    assert.ok((layers?.most ?? 0) > 1, 'days with several layers');
    assert.ok(pages.length > 12, `${pages.length} pages`);
    await move(source, target);
    const client = clientIn(target, brand);
    assert.deepEqual(await readPages(client), pages);
    // Tags name the database, and change once.
    const { etag = '' } = first.headers;
    const again = await get(client, path, { 'if-none-match': etag });
    assert.deepEqual([again.status, again.json.data], [200, first.json.data]);
    const next = await get(client, `${path}&cursor=${cursor}`);
    assert.deepEqual(next.json.data, second.json.data);
    assert.equal(await source.countRows(`brand_id = ${brand.brandId}`), 0);
    assert.ok((await target.countRows(`brand_id = ${brand.brandId}`)) > 0);
    await target.store.upkeep(last);
    const [totals] = await target.analyticsSql(
      `select count(*)::integer as written from analytics.running_totals where brand_id = ${brand.brandId}`,
    );
    assert.deepEqual(totals, { written: 4 }, 'running totals are written again');
    assert.deepEqual(await readPages(client), pages);
    assert.deepEqual(await target.examine(brand.brandId), []);
    await assertOthersStay();
  });

  it('knows the events that it has, and aggregates late ones as a brand that never moved', async () => {
    const url = `/brands/${brand.brandId}/events`;
    const sent = await target.apps.admin.request('POST', url, {
      body: [...early, ...late].map(lineOf).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    assert.equal(sent.status, 200, sent.text);
    assert.deepEqual([sent.json.accepted, sent.json.duplicates], [0, early.length + late.length]);

    for (const [cell, one] of [
      [target, brand],
      [source, reference],
    ] as const) {
      const { text, status } = await cell.apps.admin.request('POST', `/brands/${one.brandId}/events`, {
        body: later.map(lineOf).join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(status, 200, text);
      for (const place of [33, 0, 2])
        for (const { status, text } of [
          await cell.apps.admin.post(`/brands/${one.brandId}/aggregations`, {
            from: dayAt(place),
            to: dayAt(place),
          }),
        ])
          assert.equal(status, 200, text);
    }
    const wanted = await readData(clientIn(source, reference));
    assert.deepEqual(await readData(clientIn(target, brand)), wanted);
    for (const cell of [source, target]) {
      await cell.analyticsSql(aged);
      await cell.store.upkeep(last);
    }
    assert.deepEqual(await readData(clientIn(target, brand)), wanted);
    assert.deepEqual(await target.examine(brand.brandId), []);
  });

  it('erases a learner, and moves back without them', async () => {
    const erased = await target.apps.admin.delete(`/brands/${brand.brandId}/users/u1`);
    assert.equal(erased.status, 204, erased.text);
    await source.apps.admin.delete(`/brands/${reference.brandId}/users/u1`);
    const wanted = await readData(clientIn(source, reference));
    const before = await readPages(clientIn(target, brand));
    assert.deepEqual(await readData(clientIn(target, brand)), wanted);
    await move(target, source);
    assert.deepEqual(await readPages(clientIn(source, brand)), before);
    assert.deepEqual(await readData(clientIn(source, brand)), wanted);
    assert.equal(await target.countRows(`brand_id = ${brand.brandId}`), 0);
    assert.deepEqual(await source.examine(brand.brandId), []);
    await assertOthersStay();
  });
});

function lineOf({
  day,
  user = 'u0',
  type = 'episode',
  content = 'c0',
  kind = 'view',
  ...more
}: SeedEvent): string {
  return JSON.stringify({
    occurred_at: `${day}T12:00:00Z`,
    kind,
    user,
    content: { type, tu_id: content },
    ...more,
  });
}
