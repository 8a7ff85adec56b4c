import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { connectionOptions } from '../connection-options.ts';
import { Database } from '../database.ts';
import { isConnectionFailure } from '../database-errors.ts';
import { migrate, requireMigrated } from '../schema/migrate.ts';
import { mainSchema } from '../schema/schema-files.ts';
import { openConnection } from '../sessions/session-client.ts';
import { statement } from '../statement.ts';

// An error event that nobody listens to ends this process, and with it the file.

const { address: direct, beforeClose, sql } = await createTestDatabase();
const proxy = await startTcpProxy(`${(direct as { host: string }).host}/.s.PGSQL.5432`);
const address = { ...direct, host: '127.0.0.1', port: proxy.port } as typeof direct;
await sql('create table losses (id integer primary key)');

const one = statement<{ one: number }>('one', 'select 1 as one');
const longOne = { ...one, long: true };
const insert = (id: number) => statement<never>('insert_loss', 'insert into losses values ($1)', [id]);
const kept = async () => (await sql<{ n: number }>('select count(*)::integer as n from losses'))[0]?.n;

function open(): Database {
  const database = new Database({ address, applicationName: 'brandport-test' });
  beforeClose(() => database.close());
  return database;
}

describe('a connection that ends in the packet that makes it ready', () => {
  it('is replaced within a transaction, which nothing was committed of', async () => {
    const database = open();
    for (let id = 0; id < 10; id += 1) {
      proxy.endWhenReady(1);
      await database.transaction((tx) => tx.run(insert(id)));
    }
    assert.equal(await kept(), 10);
  });

  it('fails a transaction as a lost connection when it happens again and again', async () => {
    const database = open();
    proxy.endWhenReady(1_000);
    const attempts = Array.from({ length: 20 }, (_, n) =>
      assert.rejects(
        database.transaction((tx) => tx.run(insert(100 + n))),
        isConnectionFailure,
      ),
    );
    await Promise.all(attempts);
    proxy.endWhenReady(0);
    await database.transaction((tx) => tx.run(insert(99)));
  });

  it('fails reads as a lost connection, or not at all', async () => {
    const database = open();
    proxy.endWhenReady(1_000);
    for (const read of [() => database.run(longOne), () => database.run(one)])
      await Promise.all(Array.from({ length: 20 }, () => assert.rejects(read(), isConnectionFailure)));
    proxy.endWhenReady(0);
    assert.deepEqual(await Promise.all([database.run(longOne), database.run(one)]), [
      [{ one: 1 }],
      [{ one: 1 }],
    ]);
  });

  it('is reported by a separate connection when it is opened', async () => {
    proxy.endWhenReady(1);
    await assert.rejects(openConnection(connectionOptions(address, 'brandport-test')), isConnectionFailure);
  });

  it('fails migrations as a lost connection', async () => {
    for (const run of [migrate, requireMigrated]) {
      proxy.endWhenReady(1);
      await assert.rejects(run(address, mainSchema), isConnectionFailure);
    }
    proxy.endWhenReady(0);
    assert.deepEqual(await migrate(address, mainSchema), []);
  });
});
