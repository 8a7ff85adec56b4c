// nightly: measures the disk that a large feed takes
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { lineResults, packLines, resultLetters, undecidedLetter } from '../feed.ts';
import { addProducts, feedsPath, type SentLine, sendFeed, unobserved } from './feeds.ts';

const apps = await createTestApps();
const { sql } = apps;
const codes = ['WH-BERLIN', 'WH-HAMBURG', 'STORE-001', 'STORE-002'];

const packsOf = (brandId: number) =>
  sql<{ first_line: number; lines: number; results: string }>(
    `select first_line, cardinality(skus) as lines, results from stock_feed_packs
     where brand_id = $1 order by feed_id, first_line`,
    [brandId],
  );

// [D220]
describe('the packs of a feed', () => {
  it('have a letter for each result, which the view shows as the result', async () => {
    const { client, brandId } = await apps.newBrand();
    const letters = lineResults.map((result) => resultLetters[result]);
    assert.equal(new Set([...letters, undecidedLetter]).size, lineResults.length + 1);
    await sendFeed(
      client,
      [...letters, undecidedLetter].map((sku) => ({ sku, location_code: 'L', quantity: 1 })),
    );
    await sql('update stock_feed_packs set results = $2 where brand_id = $1', [
      brandId,
      `${letters.join('')}${undecidedLetter}`,
    ]);
    assert.deepEqual(
      await sql('select sku, result from stock_feed_lines where brand_id = $1 order by line', [brandId]),
      [
        ...lineResults.map((result) => ({ sku: resultLetters[result], result })),
        { sku: undecidedLetter, result: null },
      ],
    );
  });

  it('have a thousand lines each, the last one the rest, and keep the results of superseded lines', async () => {
    const { client, brandId } = await apps.newBrand();
    await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
    await addProducts(apps, brandId, ['A']);
    const lines = Array.from({ length: 2 * packLines + 1 }, (_, line) => ({
      sku: line % packLines === 0 ? 'A' : `S${line}`,
      location_code: 'L',
      quantity: line,
    }));
    const { json } = await sendFeed(client, lines);
    const unknown = (letter: string) => letter.repeat(packLines - 1);
    assert.deepEqual(await packsOf(brandId), [
      { first_line: 0, lines: packLines, results: `p${unknown('.')}` },
      { first_line: packLines, lines: packLines, results: `p${unknown('.')}` },
      { first_line: 2 * packLines, lines: 1, results: '.' },
    ]);
    await applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs: 60_000 });
    assert.deepEqual(await packsOf(brandId), [
      { first_line: 0, lines: packLines, results: `p${unknown('k')}` },
      { first_line: packLines, lines: packLines, results: `p${unknown('k')}` },
      { first_line: 2 * packLines, lines: 1, results: 'a' },
    ]);
    const { data } = (await ok(client.get(`${feedsPath}/${json.feed_id}?per_page=3&page=667`))).lines;
    assert.deepEqual(
      data.map(({ line, result }: { line: number; result: string }) => [line, result]),
      [
        [1_998, 'unknown_sku'],
        [1_999, 'unknown_sku'],
        [2_000, 'applied'],
      ],
    );
  });

  it('are refused by the database with fields of different lengths, or a letter that means nothing', async () => {
    const { client, brandId } = await apps.newBrand();
    await sendFeed(client, [{ sku: 'A', location_code: 'L', quantity: 1 }]);
    for (const [change, constraint] of [
      [`results = 'x'`, 'stock_feed_packs_results'],
      [`results = '..'`, 'stock_feed_packs_lengths'],
      [`quantities = '{1,2}'`, 'stock_feed_packs_lengths'],
      ['first_line = 7', 'stock_feed_packs_place'],
    ] as const)
      await assert.rejects(sql(`update stock_feed_packs set ${change} where brand_id = $1`, [brandId]), {
        constraint,
      });
  });
});

it('a line takes at most 30 bytes of disk, with its result and the indexes', async () => {
  const small = await createTestApps();
  const { client, brandId } = await small.newBrand();
  for (const external_code of codes)
    await ok(client.post('/catalog/stock/locations', { external_code }), 201);
  // Article numbers of twelve to twenty characters in no order, each on one line: compression finds little.
  const lines = Array.from({ length: 20_000 }, (_, n): SentLine => {
    const article = String((BigInt(n + 1) * 0x9e3779b97f4a7c15n) % 10_000_000_000n).padStart(10, '0');
    const sku = `${article}-${['S', 'XL', '42', 'ONE', 'BLACK', 'DARKRED'][n % 6]}-${n % 10}`;
    return {
      sku,
      location_code: codes[n % 4] as string,
      quantity: (n * 7919) % 500,
      reserved: n % 4,
      updated_at: new Date(Date.UTC(2026, 2, 1, 8, 30) + ((n * 104_729) % 3_600) * 1_000).toISOString(),
    };
  });
  const known = lines.slice(0, 4_000).map(({ sku }) => sku);
  await addProducts(small, brandId, known);
  assert.equal((await sendFeed(client, lines)).status, 202);
  while ((await applyBrandFeeds(small.context, unobserved, brandId, { sliceMs: 60_000 })) !== 'finished');
  const [size] = await small.sql<{ bytes: number }>(
    `select pg_total_relation_size('stock_feed_packs')::float8 as bytes`,
  );
  const perLine = (size?.bytes ?? 0) / lines.length;
  assert.ok(perLine <= 30, `${perLine} bytes`);
});
