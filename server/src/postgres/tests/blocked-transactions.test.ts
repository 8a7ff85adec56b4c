import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { createDatabase, runSql } from '../../../test/support/fresh-database.ts';
import { Database } from '../database.ts';
import { statement } from '../statement.ts';

const address = await createDatabase();
await runSql(address, 'create table held (id integer)');
const limits = { connect: 5_000, lock: 1_500, statement: 10_000, answer: 11_000, idleTransaction: 30_000 };
const database = new Database({ address, applicationName: 'brandport', limits });
after(() => database.close());

const lockTable = statement('lock_held', 'lock table held in access exclusive mode');
const failure = (work: Promise<unknown>) => work.then(() => assert.fail('not refused'), String);

describe('a transaction that waits for a lock too long', () => {
  it('says who holds it, in which state and since when', async () => {
    const holder = new pg.Client({ ...address, application_name: 'somebody' });
    await holder.connect();
    const { rows } = await holder
      .query('begin; lock table held; select pg_backend_pid() as pid')
      .then((results) => (results as unknown as pg.QueryResult[])[2] as pg.QueryResult);
    const message = await failure(database.transaction((tx) => tx.run(lockTable)));
    const held =
      /canceling statement due to lock timeout; the lock was held by pid (\d+) \((.*), since (.*)\)$/;
    const [, pid, session, since] = held.exec(message) ?? assert.fail(message);
    assert.deepEqual([Number(pid), session], [rows[0].pid, 'somebody, idle in transaction']);
    assert.ok(Date.now() - Date.parse(since ?? '') < 60_000);
    await holder.end();
  });

  it('names a transaction of this process too', async () => {
    const release = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<number>();
    const holding = database.transaction(async (tx) => {
      await tx.run(lockTable);
      const [row] = await tx.run(statement<{ pid: number }>('own_pid', 'select pg_backend_pid() as pid'));
      taken.resolve(row?.pid ?? 0);
      await release.promise;
    });
    const pid = await taken.promise;
    const message = await failure(database.transaction((tx) => tx.run(lockTable)));
    assert.match(message, new RegExp(`held by pid ${pid} \\(brandport, idle in transaction, since `));
    release.resolve();
    await holding;
  });

  it('opens no other connection for transactions that wait for nothing', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => database.transaction((tx) => tx.run(statement('one', 'select 1')))),
    );
    await new Promise((resolve) => setTimeout(resolve, limits.lock / 2));
    const watches = `select 1 from pg_stat_activity where application_name = 'brandport-lock-watch'`;
    assert.deepEqual(await runSql(address, `${watches} and datname = current_database()`), []);
  });
});
