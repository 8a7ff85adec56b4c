import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import {
  assertRefused,
  counterAt,
  waitingForLocks,
  writtenSoFar,
} from '../../../test/support/assert-refused.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const products = '/catalog/products';

/** A connection of the test's own, on which it can hold locks; never one of the apps' pool. */
async function holding<T>(
  work: (sql: (text: string, values?: unknown[]) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const holder = await apps.database.pool.connect();
  try {
    return await work((text, values) => holder.query(text, values));
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

function assertUnavailable(response: ApiResponse): void {
  assertRefused(response, 'service_unavailable');
  assert.ok(Number(response.headers['retry-after']) >= 1);
}

/** The log lines of a request. */
function linesOf(response: ApiResponse) {
  const lines = logLines.take().map((line) => JSON.parse(line));
  return lines.filter(({ reqId }) => reqId === response.headers['x-request-id']);
}

/** The log line of a request's failure. */
const failureOf = (response: ApiResponse) => linesOf(response).filter(({ msg }) => msg !== 'request');

const onProductInsert = (sku: string, body: string) => `
  create function test_failure() returns trigger language plpgsql as $$
  begin if new.sku = '${sku}' then ${body}; end if; return new; end $$;
  create trigger test_failure after insert on products for each row execute function test_failure();`;
const noTrigger = 'drop trigger test_failure on products; drop function test_failure();';

describe('a failure that nobody foresaw', () => {
  // [platform-19]
  it('of a read is opaque, and the id of the request finds it in the log', async () => {
    await apps.sql('alter table products rename to products_gone');
    logLines.take();
    const answer = await client.get(products);
    const [failure, ...more] = failureOf(answer);
    await apps.sql('alter table products_gone rename to products');
    assertRefused(answer, 'server_error');
    assert.deepEqual(Object.keys(answer.json), ['code', 'message', 'doc_url']);
    assert.equal(more.length, 0);
    assert.equal(failure.level, 50);
    assert.match(JSON.stringify(failure), /products/);
    assert.equal((await client.get(products)).status, 200);
  });

  // [platform-19]
  it('of a write leaves nothing behind, and its key is free for the next try', async () => {
    await apps.sql(
      onProductInsert('BOOM', `raise exception 'a canary of the inside' using hint = 'select 1'`),
    );
    const before = await writtenSoFar(apps);
    const create = () =>
      client.post(products, { sku: 'BOOM', is_active: true }, { 'idempotency-key': 'boom' });
    logLines.take();
    const failed = await create();
    const [failure] = failureOf(failed);
    assertRefused(failed, 'server_error');
    assert.match(JSON.stringify(failure), /canary of the inside/);
    assert.deepEqual(await writtenSoFar(apps), before);

    await apps.sql(noTrigger);
    const again = await create();
    assert.equal(again.status, 201);
    assert.equal(again.headers['idempotency-replayed'], undefined);
    const [counted] = await apps.sql('select products_active from brand_catalogs where brand_id = $1', [
      brandId,
    ]);
    assert.deepEqual(counted, { products_active: 1 });
  });
});

describe('a deadlock', () => {
  /**
   * Makes a request that holds its brand wait for a row, while a transaction that holds the row waits for the
   * brand. The one that has waited longer looks for a deadlock first and is aborted: the request, since the
   * transaction follows when the request waits alone, which is 50 ms after it has waited in a turn.
   */
  const createInDeadlock = (sku: string) =>
    holding(async (sql) => {
      await sql('begin');
      await sql('select 1 from test_row for update');
      const creating = client.create(products, { sku });
      await sql(`do $$ begin
        while not exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)))
          loop perform pg_sleep(0.001); end loop;
        perform pg_sleep(0.5);
        perform 1 from brand_catalogs where brand_id = ${brandId} for update;
      end $$`);
      await sql('rollback');
      return creating;
    });

  it('is run again inside of the server, and the client never hears of it', async () => {
    await apps.sql('create table test_row as select 1 as id');
    await apps.sql(onProductInsert('DEADLOCK', 'perform 1 from test_row for update'));
    const retries = () => counterAt(apps.metrics, 'brandport_transaction_retries_total', {});
    const before = await retries();
    const { status, text } = await createInDeadlock('DEADLOCK');
    assert.equal(status, 201, text);
    // Once when it leaves its turn, and once after each deadlock: it may meet the transaction again.
    assert.ok((await retries()) >= before + 2);
    await apps.sql(`${noTrigger} drop table test_row`);
    const made = await apps.sql(`select sku from products where sku = 'DEADLOCK'`);
    assert.equal(made.length, 1);
  });
});

describe('a connection to the database that is lost', () => {
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

  it('while nobody uses it is replaced without anybody noticing', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => client.create(products, { sku: `WARM-${i}` })));
    await apps.sql(`select pg_terminate_backend(pid) ${others}`);
    await waitFor('the old connections to be gone', async () => {
      const [row] = await apps.sql<{ left: number }>(`select count(*)::integer as left ${others}`);
      return row?.left === 0;
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get(products)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await client.create(products, { sku: 'AFTER-IDLE' })).status, 201);
  });

  it('in the middle of a write is written again, once, and the client never hears of it', async () => {
    const answer = await holding(async (sql) => {
      await sql('begin');
      await sql('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
      const creating = client.create(products, { sku: 'LOST-EARLY' });
      await waitFor('the write to wait for its lock', () => waitingForLocks(apps));
      await sql(`select pg_terminate_backend(pid) ${others} and wait_event_type = 'Lock'`);
      await sql('commit');
      return creating;
    });
    assert.equal(answer.status, 201, answer.text);
    const [made] = await apps.sql(`select count(*)::integer as n from products where sku = 'LOST-EARLY'`);
    assert.deepEqual(made, { n: 1 });
  });

  it('in the middle of a commit is 503 with Retry-After, and the same key does it once', async () => {
    await apps.sql(`
      create function test_slow_commit() returns trigger language plpgsql as $$
      begin if new.sku = 'LOST' then perform pg_sleep(10); end if; return null; end $$;
      create constraint trigger test_slow_commit after insert on products deferrable initially deferred
        for each row execute function test_slow_commit();`);
    const create = () => client.post(products, { sku: 'LOST' }, { 'idempotency-key': 'lost' });
    const before = await writtenSoFar(apps);
    logLines.take();
    const creating = create();
    const committing = `${others} and query = 'commit' and state = 'active'`;
    await waitFor('the commit', async () => (await apps.sql(`select ${committing}`)).length === 1);
    await apps.sql(`select pg_terminate_backend(pid) ${committing}`);
    const answer = await creating;
    assertUnavailable(answer);
    const [line, ...more] = linesOf(answer);
    assert.deepEqual(more, []);
    assert.partialDeepStrictEqual(line, { level: 40, msg: 'request', status: 503 });
    assert.match(line.reason, /^database unreachable: /);
    assert.deepEqual(await writtenSoFar(apps), before);
    await apps.sql('drop trigger test_slow_commit on products; drop function test_slow_commit();');
    const again = await create();
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, undefined]);
    assert.equal((await create()).headers['idempotency-replayed'], 'true');
  });

  it('in the middle of a read is asked again, and the client never hears of it', async () => {
    const answers = await holding(async (sql) => {
      await sql('begin');
      await sql('lock table products in access exclusive mode');
      const reading = Promise.all(Array.from({ length: 5 }, () => client.get(products)));
      await waitFor('a read to wait for its lock', () => waitingForLocks(apps));
      await sql(`select pg_terminate_backend(pid) ${others} and wait_event_type = 'Lock'`);
      await sql('commit');
      return reading;
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
  });
});
