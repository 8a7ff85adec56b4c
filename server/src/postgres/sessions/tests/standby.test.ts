// processes: starts two PostgreSQL servers
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PostgresNode } from '../../../../test/support/replication/postgres-node.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { connectionOptions } from '../../connection-options.ts';
import { Database } from '../../database.ts';
import { RecoveringError, troubleOf } from '../../database-errors.ts';
import { statement } from '../../statement.ts';
import { openConnection } from '../session-client.ts';

const primary = await PostgresNode.createPrimary();
const standby = await primary.createStandby('standby');
const one = statement<{ one: number }>('one', 'select 1 as one');

// [D184]
it('a standby counts as unreachable for reads and writes, and is used from its promotion on', async () => {
  const address = { url: standby.url() };
  const database = new Database({ address, applicationName: 'brandport-test' });
  try {
    for (const attempt of [
      () => database.run(one),
      () => database.run({ ...one, long: true }),
      () => database.transaction((tx) => tx.run(one)),
      () => database.execute('select 1'),
    ])
      await assert.rejects(
        attempt(),
        (error) => error instanceof RecoveringError && troubleOf(error) === 'unreachable',
      );
    assert.equal(await database.isReachable(2_000), false);
    const left = `select from pg_stat_activity where application_name = 'brandport-test'`;
    await waitFor('refused connections to be closed', async () => (await standby.sql(left)).length === 0);
    const reader = await openConnection({
      ...connectionOptions(address, 'brandport-test'),
      session: { settings: {}, mayBeStandby: true },
    });
    assert.equal((await reader.query('select 1 as one')).rows[0].one, 1);
    await reader.end();

    await primary.kill();
    await standby.promote();
    const promotedAt = performance.now();
    await waitFor('a write', () => database.transaction((tx) => tx.run(one)).then(() => true));
    assert.ok(performance.now() - promotedAt < 3_000);
    assert.equal(await database.isReachable(2_000), true);
  } finally {
    await database.close();
  }
});
