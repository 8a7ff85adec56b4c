// nightly: large exports that nobody reads
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { it } from 'node:test';
import { insertFeedLines } from '../../../../test/support/insert-feed-lines.ts';
import { listenOn } from '../../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';

const lineCount = 100_000;
const apps = await createTestApps({ bodies: { times: { takeMs: 3_000 } } });
const { brandId } = await apps.newBrand();
const feedId = 'stalled-export-feed-1';
await apps.sql(
  `with feed as (
     insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
       received_at, finished_at)
     values ($1, $2, 'b', '', 'test', 'completed', $3, $3, jsonb_build_object('unknown_sku', $3::int), now(), now())
     returning id
   )
   ${insertFeedLines(`select $1::integer, id, n, 'SKU-' || n, 'WAREHOUSE', n, now(), 'unknown_sku'
     from feed, generate_series(0, $3 - 1) as n`)}`,
  [brandId, feedId, lineCount],
);
const port = await listenOn(apps.internalApp);
const accepted: Socket[] = [];
apps.internalApp.server.on('connection', (socket) => accepted.push(socket));

/** Requests an export on a connection that does not read. Returns both ends of it. */
async function stalledExport(): Promise<{ client: Socket; server: Socket }> {
  const before = accepted.length;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.pause();
  const path = `/internal/v1/brands/${brandId}/feeds/${feedId}/lines.jsonl`;
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testAdminToken}\r\n\r\n`);
  const server = await waitFor('the connection', () => accepted[before] ?? null);
  await waitFor('a full buffer', () => server.writableNeedDrain);
  return { client, server };
}

const busyReads = () => apps.database.uses().find(({ kind }) => kind === 'reads')?.busy;

// [internal-101] [D154]
it('an export that nobody reads holds no connection to the database and little memory, and is closed', async () => {
  const stalled = await Promise.all(Array.from({ length: 5 }, () => stalledExport()));
  await waitFor('the statements to end', () => busyReads() === 0);
  for (const { server } of stalled)
    assert.ok(server.writableLength < 1_000_000, `${server.writableLength} bytes wait`);
  assert.equal((await apps.admin.get(`/brands/${brandId}/feeds/${feedId}/lines`)).status, 200);
  await waitFor(
    'the connections to be closed',
    () => stalled.every(({ server }) => server.destroyed),
    20_000,
  );
  assert.equal(busyReads(), 0);
  for (const { client } of stalled) client.destroy();
});

it('an export that is read slowly is complete', async () => {
  const { client } = await stalledExport();
  let text = '';
  client.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  client.resume();
  await waitFor('the last chunk', () => text.endsWith('0\r\n\r\n'), 30_000);
  client.destroy();
  assert.equal(text.split('"sku":').length - 1, lineCount);
});

it('an export whose lines are dropped in the middle closes the connection without the last chunk', async () => {
  const { client } = await stalledExport();
  await apps.sql('delete from stock_feed_packs where brand_id = $1', [brandId]);
  await apps.sql('update stock_feeds set lines_dropped_at = now() where brand_id = $1', [brandId]);
  let text = '';
  client.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  client.resume();
  await waitFor('the end of the connection', () => client.closed || client.readableEnded, 20_000);
  assert.ok(text.startsWith('HTTP/1.1 200'), text.slice(0, 100));
  assert.ok(!text.endsWith('0\r\n\r\n'));
  assert.ok(text.split('"sku":').length - 1 < lineCount);
});
