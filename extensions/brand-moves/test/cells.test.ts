import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { fillThroughApi } from '../../../server/database/tests/every-table.ts';
import { scopes } from '../../../server/src/api/scopes.ts';
import { brandIdsOf } from '../../../server/src/brands/cell.ts';
import { applyFeed } from '../../../server/src/catalog/feeds/tests/feeds.ts';
import { randomHex } from '../../../server/src/lib/ids.ts';
import { type AcknowledgedWrite, RetryingWriters } from '../../../server/test/deploy/retrying-writers.ts';
import { createDatabase, runSql } from '../../../server/test/support/fresh-database.ts';
import { createHttpClient, sendHttp } from '../../../server/test/support/http-client.ts';
import { runCommand, startCommand } from '../../../server/test/support/run-command.ts';
import {
  makeDataDir,
  type ServerProcess,
  startServerProcess,
} from '../../../server/test/support/server-process.ts';
import { findSystemProgram } from '../../../server/test/support/system-program.ts';
import { databaseUrl } from '../../../server/test/support/test-database.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { digestBrand } from '../src/tests/moved-brand.ts';
import { startCellsProxy } from './haproxy-cells.ts';

const program = findSystemProgram('haproxy', 'haproxy');

async function startCell(cell: string) {
  const address = await createDatabase();
  const env = {
    DATABASE_URL: databaseUrl(address),
    BRANDPORT_CELL: cell,
    BRANDPORT_CURSOR_SECRET: 'the-cursor-secret-of-both-cells-7d1f',
    BRANDPORT_TRUSTED_PROXIES: '127.0.0.1',
    ...Object.fromEntries(
      ['CATALOG_READS', 'CATALOG_WRITES', 'CATALOG_BRAND', 'ANALYTICS_KEY', 'ANALYTICS_BRAND', 'ADDRESS'].map(
        (name) => [`BRANDPORT_LIMIT_${name}`, '0'],
      ),
    ),
  };
  return { address, env, server: await startServerProcess({ env: { BRANDPORT_DEMO: undefined, ...env } }) };
}

async function newKey(server: ServerProcess, brandId: number): Promise<string> {
  const { status, text, json } = await server.admin.post(`/brands/${brandId}/keys`, { name: 'PIM', scopes });
  assert.equal(status, 201, text);
  return json.api_key;
}

async function newTenant(server: ServerProcess, name: string) {
  const { json } = await server.admin.post('/brands', { name });
  return { brandId: json.id as number, key: await newKey(server, json.id) };
}

const portOf = ({ clientUrl }: ServerProcess) => Number(new URL(clientUrl).port);

// [D201] [D202] [D203] [D204]
it('a brand moves from cell to cell under load, by the documented commands, and loses nothing', {
  skip: program === null,
  timeout: 280_000,
}, async (t) => {
  const [source, target] = [await startCell('00'), await startCell('01')];
  const proxy = await startCellsProxy(program ?? '', [portOf(source.server), portOf(target.server)]);
  const url = `${proxy.url}/v1/client`;
  const run = async (cell: typeof source, ...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(cell.env, 'brand', ...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  await fillThroughApi(source.server);
  const brandId = (await source.server.admin.get('/brands')).json.data[0].id as number;
  assert.equal(brandId, brandIdsOf('00').first);
  const key = await newKey(source.server, brandId);
  const stays = await newTenant(source.server, 'Stays in 00');
  const there = await newTenant(target.server, 'Lives in 01');
  const feedToken = (await source.server.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'ERP' })).json
    .token;

  await t.test('the proxy leads keys to their cells, and unknown ones to a 401', async () => {
    assert.match(key, /^tuk_00/);
    assert.match(there.key, /^tuk_01/);
    assert.equal(there.brandId, brandIdsOf('01').first);
    for (const { key: one, sku } of [
      { ...stays, sku: 'IN-00' },
      { ...there, sku: 'IN-01' },
    ])
      assert.equal((await createHttpClient(url, one).create('/catalog/products', { sku })).status, 201);
    for (const unknown of [
      `tuk_7f${'0'.repeat(22)}.${'x'.repeat(40)}`,
      `tuk_01${'0'.repeat(22)}.${'x'.repeat(40)}`,
      'x',
    ]) {
      const answer = await createHttpClient(url, unknown).get('/catalog/products');
      assert.equal(answer.status, 401, answer.text);
      assert.equal(answer.json.code, 'unauthenticated');
    }
    assert.equal((await sendHttp(`${url}/catalog/products`)).status, 401);
  });

  const client = createHttpClient(url, key);
  const from = new Date(Date.now() - 41 * 86_400_000).toISOString().slice(0, 10);
  const to = new Date(Date.now() - 38 * 86_400_000).toISOString().slice(0, 10);
  const pages = `/analytics/users/daily?from=${from}&to=${to}&per_page=1`;
  const firstPage = await client.get(pages);
  assert.equal(firstPage.status, 200, firstPage.text);
  const pageUrl = `${pages}&cursor=${encodeURIComponent(firstPage.json.meta.next_cursor)}`;
  const secondPage = await client.get(pageUrl);
  assert.equal(secondPage.status, 200, secondPage.text);
  const otherDigests = async () => {
    const digests = [
      await digestBrand(source.address, stays.brandId),
      await digestBrand(target.address, there.brandId),
    ];
    // Written in the background.
    return digests.map(({ ['public.api_key_usage']: _, ...rest }) => rest);
  };
  const others = await otherDigests();

  const writers = new RetryingWriters(url, key, 6);
  writers.start();
  await waitFor('the first writes', () => writers.acknowledged.length >= 40, 60_000);

  const file = join(await makeDataDir(), 'brand.tar');
  const id = String(brandId);
  await run(source, 'close', id);
  await run(source, 'export', id, '--out', file);
  const exported = await digestBrand(source.address, brandId);

  await t.test('an import that is killed leaves nothing', async () => {
    // Holds the import in the middle of its transaction.
    const isHeld = `select from pg_locks where relation = 'stock_movements'::regclass and not granted`;
    const holder = await holdTable(target.address);
    const { child, outcome } = startCommand(target.env, 'brand', 'import', file);
    await waitFor(
      'the import at the held table',
      async () => (await runSql(target.address, isHeld)).length > 0,
      60_000,
    );
    child.kill('SIGKILL');
    assert.equal((await outcome).code, null);
    await holder.release();
    await waitFor('the rollback', async () => {
      const open = await runSql(
        target.address,
        `select from pg_stat_activity where application_name = 'brandport-move'`,
      );
      return open.length === 0;
    });
    for (const [table, digest] of Object.entries(await digestBrand(target.address, brandId)))
      assert.match(digest, /^0 rows/, table);
  });

  await run(target, 'import', file);
  await proxy.addMovedKeys(await run(source, 'keys', id, '--cell', '01'));
  const again = await runCommand(target.env, 'brand', 'import', file);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /is in this cell already/);
  const before = writers.acknowledged.length;
  await waitFor('writes in the new cell', () => writers.acknowledged.length >= before + 30, 60_000);
  await writers.stop();
  assert.deepEqual(
    await digestBrand(source.address, brandId),
    exported,
    'nothing has changed after the export',
  );
  await run(source, 'remove', id);

  await t.test('every acknowledged write is there once, and replayed byte for byte', async () => {
    const stored = await runSql<{ sku: string; writes: number }>(
      target.address,
      `select sku, count(*)::integer as writes from products where brand_id = ${brandId} and sku like 'LOAD-%' group by sku`,
    );
    assert.deepEqual(
      stored.filter(({ writes }) => writes !== 1),
      [],
    );
    const skus = new Set(stored.map(({ sku }) => sku));
    assert.deepEqual(
      writers.acknowledged.filter(({ body }) => !skus.has(body.sku)),
      [],
    );
    assert.equal(skus.size, writers.acknowledged.length, 'and no other');
    for (const write of writers.acknowledged.filter(isSample)) {
      const { status, text } = await writers.replay(write);
      assert.equal(status, 201, text);
      assert.equal(text, write.text);
    }
    assert.deepEqual(writers.unexpected, [], 'clients saw 503 only');
    assert.ok(writers.refused > 0, 'some writes met the closed brand');
  });

  await t.test('keys, feed tokens, cursors, revisions and datasets go on in the new cell', async () => {
    for (const [path, wanted] of [
      [pages, firstPage],
      [pageUrl, secondPage],
    ] as const) {
      const page = await client.get(path);
      assert.equal(page.status, 200, page.text);
      assert.deepEqual(page.json.data, wanted.json.data);
      const revision = 'brandport-window-revision';
      assert.equal(page.headers[revision], wanted.headers[revision]);
    }
    const legacy = await sendHttp(`${proxy.url}/v1/catalog/stock/feeds`, {
      method: 'POST',
      body: {
        source: 'ERP',
        mode: 'snapshot',
        lines: [{ sku: 'SIMPLE', location_code: 'WH', quantity: 76 }],
      },
      headers: { authorization: `Bearer ${feedToken}`, 'idempotency-key': randomHex(16) },
    });
    assert.equal(legacy.status, 202, legacy.text);
    assert.deepEqual(await applyFeed(client, [{ sku: 'SIMPLE', location_code: 'WH', quantity: 77 }]), [
      'applied',
    ]);
    const [level] = await runSql(
      target.address,
      `select quantity from stock_levels where brand_id = ${brandId} and sku = 'SIMPLE' and location_code = 'WH'`,
    );
    assert.deepEqual(level, { quantity: 77 });
  });

  await t.test('doctor finds nothing in both cells, and the other brands are as before', async () => {
    assert.deepEqual(await otherDigests(), others);
    for (const cell of [source, target]) {
      const { code, stdout, stderr } = await runCommand(cell.env, 'doctor', '--json');
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      assert.deepEqual(JSON.parse(stdout).differences, []);
    }
    for (const table of Object.entries(await digestBrand(source.address, brandId)))
      assert.match(table[1], /^0 rows/, table[0]);
  });
});

const isSample = (_: AcknowledgedWrite, index: number) => index % 3 === 0;

/** Locks the table of movements against writes until it is released. */
async function holdTable(address: Awaited<ReturnType<typeof createDatabase>>) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...address, application_name: `holder-${randomHex(4)}` });
  await client.connect();
  await client.query('begin; lock table stock_movements in share row exclusive mode');
  return {
    release: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}
