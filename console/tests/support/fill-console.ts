import assert from 'node:assert/strict';
import type { TestApps } from '../../../server/test/support/test-apps.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { seedCatalog } from './seed-catalog.ts';

/** On the filled server: the values of the parameters of the console's paths, a stock level, and a day with late events. */
export type FilledConsole = Readonly<
  Record<'brandId' | 'keyId' | 'productId' | 'feedId' | 'jobId' | 'requestId' | 'tuId', string> &
    Record<'sku' | 'location' | 'day', string>
>;

const dayMs = 86_400_000;
const daysFrom = (count: number) => new Date(Date.now() + count * dayMs).toISOString();

/** Fills the apps as a week of several brands does: long and CJK names, feeds that failed, refusals of each kind, late events. */
export async function fillConsole(server: TestApps): Promise<FilledConsole> {
  const { admin, sql } = server;
  const shop = await seedCatalog(server, 'Nordlicht Outdoor', { low_stock_threshold: 5 });
  const { brandId } = shop;
  const base = `/brands/${brandId}`;
  const pim = (await admin.get(`${base}/keys`)).json.data[0].key_id;
  const { json: run } = await admin.post('/doctor-runs', {});
  const isDone = async () =>
    (await admin.get('/doctor-runs')).json.data.some(
      (each: typeof run) => each.id === run.id && each.finished_at,
    );
  await waitFor('the doctor, before what no server writes', isDone);
  await fillHours(server, brandId, pim);
  const sku = 'BOTTLE-750-STEEL-DOUBLE-WALLED';
  const productId = await fillCatalog();
  const feedId = await fillFeeds();
  const requestId = await fillKeys();
  await fillLearning();
  for (const name of [
    '東京登山用品株式会社',
    `Großhandel ${'für Berg und Tal '.repeat(14)}`.trim(),
    'Fjällräven',
    'Quiet',
  ])
    await admin.post('/brands', { name });
  await sql(`update brands set name = 'Nordlicht Outdoor <b>&amp;</b> Co.' where name = 'Quiet'`);
  await admin.patch(base, { settings: { low_stock_threshold: 8 } });
  for (const [name, role, brand_ids] of [
    ['Ada Lovelace', 'administrator', null],
    ['Vertrieb Süd', 'operator', [brandId]],
    ['カスタマーサポート', 'support', null],
  ] as const)
    await admin.post('/administrators', { name, role, brand_ids });
  const [job] = await sql(
    `update pgboss.job set state = 'failed', completed_on = now(),
       output = '{"message": "relation \\"stock_levels\\" is locked by the session with pid 22191"}'
     where id = (select id from pgboss.job where name = 'apply-stock-feeds' order by created_on limit 1) returning id`,
  );
  await server.keyUsage.flush();
  return {
    ...{ brandId: String(brandId), keyId: pim, productId, feedId, jobId: String(job?.['id']), requestId },
    ...{ tuId: 'learner-004', sku, location: 'MUNICH' },
    day: daysFrom(-5).slice(0, 10),
  };

  async function fillCatalog(): Promise<string> {
    await shop.addLocations(['MUNICH', 'PARIS-RIVOLI', 'TOKYO-SHIBUYA-WAREHOUSE-3']);
    const { id } = await shop.addParent('ALPINE-JACKET', 4, 5);
    for (const [code, title] of [
      ['TENT-2P', '二人用テント'],
      ['a'.repeat(120), `A title ${'that goes on '.repeat(18)}`.trim()],
      ['ROPE-60', 'Rope 60 m'],
    ] as const)
      await shop.write('/products', { sku: code, title, price_value: 49.9, is_active: code !== 'ROPE-60' });
    const bottle = { sku, title: 'Trinkflasche aus Edelstahl, doppelwandig, 750 ml', price_value: 24.5 };
    const { tu_id } = await shop.write('/products', bottle);
    const counted = { location: 'MUNICH', quantity: 14, note: 'Stocktake, shelf B4' };
    await shop.write(`/products/${tu_id}/stock/adjust`, counted);
    return id;
  }

  async function fillFeeds(): Promise<string> {
    const line = (code: string, quantity: number, location_code = 'MUNICH', more = {}) => ({
      ...{ sku: code, location_code, quantity, ...more },
    });
    const sizes = Array.from({ length: 20 }, (_, n) => `ALPINE-JACKET-color-${n % 4}-size-${n % 5}`);
    const all = sizes.map((code, n) => line(code, (n * 7) % 23));
    await shop.feed('erp-opening-stock', [...all, ...sizes.map((code, n) => line(code, n, 'PARIS-RIVOLI'))]);
    await shop.feed(`a-batch-id-${'of-a-long-name-'.repeat(10)}`, [line('TENT-2P', 3)]);
    await shop.feed('erp-night', [
      ...[line('TENT-2P', 11, 'TOKYO-SHIBUYA-WAREHOUSE-3'), line(sku, 2)],
      ...Array.from({ length: 12 }, (_, n) => line(`UNKNOWN-${n}`, 4)),
      line(sku, 1, 'OSAKA'),
    ]);
    await shop.feed('erp-sent-late', [line(sku, 30, 'MUNICH', { updated_at: daysFrom(-30) })]);
    await shop.feed('wms-refused-by-the-database', all);
    await sql(
      `update stock_feeds set status = 'failed', next_line = 8, totals = '{"applied": 8}',
         message = 'The database refused the lines five times: canceling statement due to lock timeout'
       where batch_id = 'wms-refused-by-the-database'`,
    );
    const { json } = await admin.get(`${base}/feeds?refused_lines=true`);
    return json.data[0].feed_id;
  }

  /** Keys of every state, and a request that each reason refuses. Returns the id of one. */
  async function fillKeys(): Promise<string> {
    const newKey = async (name: string, scopes: readonly string[], more = {}) => {
      const { status, json } = await admin.post(`${base}/keys`, { name, scopes, ...more });
      assert.equal(status, 201);
      return json;
    };
    const reads = ['catalog.products:read', 'catalog.stock:read'];
    for (const [name, scopes, more] of [
      ['ERP Odoo, warehouse Munich', ['catalog.stock:ingest'], { expires_at: daysFrom(12) }],
      ['倉庫管理システム', reads, {}],
      [`Data team ${'of the northern region '.repeat(5)}`.trim(), ['analytics.metrics:read'], {}],
    ] as const)
      await newKey(name, scopes, more);
    const slow = await newKey('Marketplace sync', reads);
    await admin.put(`/keys/${slow.key_id}/limits`, { catalog_reads: 3, until: daysFrom(1) });
    const old = await newKey('PIM before the move', reads);
    await admin.post(`/keys/${old.key_id}/revoke`);
    const [limited, revoked] = [server.clientWith(slow.api_key), server.clientWith(old.api_key)];
    for (let n = 0; n < 5; n += 1) await limited.get('/catalog/products');
    for (let n = 0; n < 3; n += 1) await revoked.get('/catalog/status');
    await server.clientWith(`${slow.key_id}.${'x'.repeat(40)}`).get('/catalog/status');
    const writer = server.clientWith(
      (await newKey('Importer', ['catalog.products:write', ...reads])).api_key,
    );
    await writer.get('/catalog/products/no-such-product');
    await writer.create('/catalog/products', { sku: 'ROPE-60' });
    await writer.get('/catalog/stock/locations', { 'x-request-id': 'import 2026/11, second try' });
    const wrong = await writer.create('/catalog/products', {
      sku: 7,
      title: 'x'.repeat(300),
      price_value: -1,
    });
    assert.equal(wrong.status, 422, wrong.text);
    // Requests without a valid key are written once their minute is over.
    server.clock.advance(61_000);
    await server.keyUsage.flush();
    server.clock.advance(-61_000);
    return String(wrong.headers['x-request-id']);
  }

  async function fillLearning(): Promise<void> {
    await admin.put(`${base}/markets`, { items: [{ tu_id: 'DE', name: 'Germany' }] });
    const learners = Array.from({ length: 60 }, (_, n) => ({
      ...{ tu_id: `learner-${String(n).padStart(3, '0')}`, analytics_opt_out: n === 4 },
      ...(n % 3 === 0 && { market: 'DE' }),
    }));
    await admin.put(`${base}/users`, { items: learners });
    const send = (days: readonly number[], kind: string) =>
      admin.post(`${base}/events`, {
        items: days.flatMap((day) =>
          learners.slice(0, 5 + day * 4).map(({ tu_id: user }, n) => ({
            ...{ event_id: `${kind}-${day}-${n}`, occurred_at: daysFrom(-day), kind: 'view', user },
            ...{
              content: { type: 'episode', tu_id: `episode-${n % 7}` },
              progress: 50,
              time_spent_seconds: 90,
            },
          })),
        ),
      });
    const { json } = await send([2, 3, 4, 5, 6, 7, 8], 'first');
    assert.equal(json.rejected_count ?? 0, 0);
    const day = (count: number) => daysFrom(-count).slice(0, 10);
    await admin.post(`${base}/aggregations`, { from: day(8), to: day(2) });
    await send([5], 'late');
  }
}

/** Writes the requests, learning events and applied feeds of two days, as hours have them. */
async function fillHours({ sql }: TestApps, brandId: number, keyId: string): Promise<void> {
  const hours = `generate_series(1, 47) as n cross join lateral
    (select date_trunc('hour', now(), 'UTC') - n * interval '1 hour' as hour,
      round(400 + 320 * sin(extract(hour from now() - n * interval '1 hour') / 4) + 40 * sin(n * 5))::int as size) as h`;
  await sql(
    `insert into api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed)
     select $1::int, hour, $2, 'listProducts', 'catalog.products:read', size, 0, size / 60, 0 from ${hours}
     union all select $1::int, hour, '', 'postLearningEvents', null, size / 2, 0, 0, 0 from ${hours}`,
    [brandId, keyId],
  );
  await sql(
    `insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
       received_at, worked_at, finished_at, lines_dropped_at, submitted_by)
     select $1::int, 'feed-' || n, 'wms-hour-' || n, '', 'WMS', 'completed', size * 3, size * 3,
       jsonb_build_object('applied', size * 3 - 1 - n % 4, 'unknown_sku', 1 + n % 4), hour, hour, hour + interval '9 s',
       hour + interval '9 s', $2
     from ${hours} where n % 3 = 0 order by n desc`,
    [brandId, keyId],
  );
}
