import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import {
  type ClickHouseClient,
  type ClickHouseError,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { waitFor } from '../../../../../server/test/support/wait-for.ts';
import { createClickHouseDatabase } from '../clickhouse-database.ts';
import { isClickHouseInstalled, startClickHouseEngine } from '../clickhouse-engine.ts';

const isInstalled = isClickHouseInstalled();
const database = isInstalled ? await createClickHouseDatabase() : null;

// [D196]
describe('the ClickHouse engine of the tests', { skip: !isInstalled }, () => {
  const clients: ClickHouseClient[] = [];
  after(async () => {
    for (const client of clients) await client.close();
  });

  function connect(
    url = database?.url ?? '',
    options: Parameters<typeof createClient>[0] = {},
  ): ClickHouseClient {
    const client = createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
    clients.push(client);
    return client;
  }

  async function rows<Row>(client: ClickHouseClient, query: string): Promise<Row[]> {
    const result = await client.query({ query, format: 'JSONEachRow' });
    return result.json<Row>();
  }

  const failsWith = (code: number) => (error: ClickHouseError) => error.code === String(code);

  it('inserts a stream of 100,000 rows, and selects it as a stream', async () => {
    const client = connect();
    await client.command({
      query: 'create table streamed (n UInt32, name String) engine = MergeTree order by n',
    });
    function* values() {
      for (let n = 0; n < 100_000; n++) yield { n, name: `naïve 日本 ${n} \\ " \n` };
    }
    await client.insert({
      table: 'streamed',
      values: Readable.from(values(), { objectMode: true }),
      format: 'JSONEachRow',
    });
    const result = await client.query({ query: 'select * from streamed order by n', format: 'JSONEachRow' });
    let next = 0;
    for await (const batch of result.stream<{ n: number; name: string }>()) {
      for (const row of batch) {
        const { n, name } = row.json();
        assert.equal(n, next);
        assert.equal(name, `naïve 日本 ${n} \\ " \n`);
        next += 1;
      }
    }
    assert.equal(next, 100_000);
  });

  it('applies settings to one query only, with 40 at once', async () => {
    const client = connect();
    const seen = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const result = await client.query({
          query: `select getSetting('max_block_size') as size, ${index} as n, sleepEachRow(0.01)`,
          clickhouse_settings: { max_block_size: String(1_000 + index) },
          format: 'JSONEachRow',
        });
        const [row] = await result.json<{ size: string; n: number }>();
        return [Number(row?.size), row?.n];
      }),
    );
    assert.deepEqual(
      seen,
      Array.from({ length: 40 }, (_, index) => [1_000 + index, index]),
    );
    const [plain] = await rows<{ size: string }>(client, "select getSetting('max_block_size') as size");
    assert.equal(Number(plain?.size), 65_409);
  });

  it("reports the engine's errors with their codes, before and after the first row", async () => {
    const client = connect();
    await assert.rejects(rows(client, 'select * from missing'), failsWith(60));
    await assert.rejects(rows(client, 'selec 1'), failsWith(62));
    await assert.rejects(rows(client, 'select sleep(2) settings max_execution_time = 0.3'), failsWith(159));
    const hungry =
      'select number, count() from numbers(5000000) group by number settings max_memory_usage = 5000000';
    await assert.rejects(rows(client, hungry), failsWith(241));
    const custom = "select throwIf(1, 'few', toInt16(285)) settings allow_custom_error_code_in_throwif = 1";
    await assert.rejects(rows(client, custom), failsWith(285));
    const late = await client.query({
      query: 'select throwIf(number = 900000) from numbers(1000000)',
      format: 'CSV',
      clickhouse_settings: { max_block_size: '1000' },
    });
    assert.match((await late.text()).slice(-600), /0\n\r\n__exception__\r\n.{16}\r\nCode: 395\. /);
    await client.command({ query: 'create table strict (n UInt8) engine = MergeTree order by n' });
    const wrong = client.insert({ table: 'strict', values: [{ n: 1 }, { n: 'x' }], format: 'JSONEachRow' });
    await assert.rejects(wrong, failsWith(27));
    assert.deepEqual(await rows(client, 'select * from strict'), []);
  });

  it('inserts nothing from an empty body', async () => {
    const client = connect();
    await client.command({ query: 'create table empty (n UInt8) engine = MergeTree order by n' });
    await client.insert({
      table: 'empty',
      values: Readable.from([], { objectMode: true }),
      format: 'JSONEachRow',
    });
    await client.command({ query: 'insert into empty select number from numbers(7)' });
    assert.deepEqual(await rows(client, 'select count() as n from empty'), [{ n: 7 }]);
  });

  it('inserts a body of 80 MB in parts', async () => {
    const client = connect();
    await client.command({
      query: 'create table long (n UInt32, padding String) engine = MergeTree order by n',
    });
    const padding = 'x'.repeat(8_000);
    function* lines() {
      for (let n = 0; n < 10_000; n++) yield Buffer.from(`${n}\t${padding}\n`);
    }
    const values = Readable.from(lines(), { objectMode: false });
    await client.insert({ table: 'long', values, format: 'TabSeparated' });
    const [row] = await rows(client, 'select uniqExact(n) as n, min(length(padding)) as shortest from long');
    assert.deepEqual(row, { n: 10_000, shortest: 8_000 });
  });

  it('streams a large result in bounded memory, and stops when the client does', async () => {
    const engine = await startClickHouseEngine();
    try {
      const client = connect(engine.url);
      const query = "select number, repeat('x', 1000) as padding from numbers(100000000)";
      const result = await client.query({ query, format: 'JSONEachRow' });
      const stream = result.stream();
      let seen = 0;
      for await (const batch of stream) {
        seen += batch.length;
        if (seen > 100_000) break;
      }
      stream.destroy();
      // 100 MB were read of 100 GB.
      assert.ok(residentMegabytes(engine.pid) < 1_500);
      const idle = async () => (await rows(client, 'select 1 from system.processes')).length === 1;
      await waitFor('the abandoned query to end', idle);
    } finally {
      await engine.stop();
    }
  });

  it('checks the password', async () => {
    const engine = await startClickHouseEngine({ password: 'pass/word:ü' });
    try {
      assert.deepEqual(await rows(connect(engine.url), 'select 1 as n'), [{ n: 1 }]);
      await assert.rejects(rows(connect(`http://127.0.0.1:${engine.port}`), 'select 1'), failsWith(516));
    } finally {
      await engine.stop();
    }
  });

  it('keeps acknowledged rows when it is killed in the middle of inserts, and answers again after a pause', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'brandport-clickhouse-kill-'));
    let engine = await startClickHouseEngine({ directory });
    try {
      const client = connect(engine.url, { request_timeout: 5_000 });
      await client.command({ query: 'create database kept' });
      await client.command({ query: 'create table kept.rows (n UInt32) engine = MergeTree order by n' });
      const acknowledged = new Set<number>();
      for (let round = 0; round < 3; round++) {
        let next = round * 1_000_000;
        const inserting = (async () => {
          for (;;) {
            const first = next;
            next += 1_000;
            const values = Array.from({ length: 1_000 }, (_, index) => ({ n: first + index }));
            await client.insert({ table: 'kept.rows', values, format: 'JSONEachRow' });
            acknowledged.add(first);
          }
        })();
        const failed = assert.rejects(inserting);
        await waitFor('inserts', () => acknowledged.size >= (round + 1) * 5);
        await engine.kill();
        await failed;
        engine = await startClickHouseEngine({ directory, port: engine.port });
      }
      const stored = await rows<{ first: number; size: string }>(
        client,
        'select intDiv(n, 1000) * 1000 as first, count() as size from kept.rows group by first',
      );
      // A batch is stored as a whole or not at all.
      for (const { size } of stored) assert.equal(Number(size), 1_000);
      const firsts = new Set(stored.map(({ first }) => Number(first)));
      for (const first of acknowledged) assert.ok(firsts.has(first), `batch ${first} is lost`);

      engine.pause();
      await assert.rejects(rows(connect(engine.url, { request_timeout: 300 }), 'select 1'), /Timeout error/);
      engine.resume();
      assert.deepEqual(await rows(client, 'select 1 as n'), [{ n: 1 }]);
    } finally {
      await engine.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
