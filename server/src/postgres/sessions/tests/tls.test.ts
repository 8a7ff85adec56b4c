// processes: starts two PostgreSQL servers
import assert from 'node:assert/strict';
import process from 'node:process';
import { it } from 'node:test';
import { PostgresNode } from '../../../../test/support/replication/postgres-node.ts';
import { startTcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { TlsAuthority } from '../../../../test/support/tls-authority.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Database } from '../../database.ts';
import { troubleOf } from '../../database-errors.ts';
import { statement } from '../../statement.ts';

const authority = await TlsAuthority.create();
const primary = await PostgresNode.createPrimary();
const standby = await primary.createStandby('standby');
await primary.requireTls(await authority.issue('DNS:localhost'));
await standby.requireTls(await authority.issue('DNS:localhost'));

const session = statement<{ port: number; ssl: boolean }>(
  'session',
  `select current_setting('port')::int as port, s.ssl from pg_stat_ssl s where s.pid = pg_backend_pid()`,
);

async function withDatabase(host: string, parameters: string, work: (database: Database) => Promise<void>) {
  const url = `postgresql://postgres@${host}/brandport?${parameters}`;
  const database = new Database({ address: { url }, applicationName: 'brandport-test' });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

const verified = `sslmode=verify-full&sslrootcert=${authority.rootPath}`;
const isUnreachable = (reason: RegExp) => (error: Error) =>
  troubleOf(error) === 'unreachable' && reason.test(error.message);

it('a connection without TLS is refused by the servers of this file', () =>
  withDatabase(`localhost:${primary.port}`, 'sslmode=disable', (database) =>
    assert.rejects(database.run(session), /no encryption/),
  ));

// [D184]
it('a certificate of another authority counts as unreachable', async () => {
  const other = await TlsAuthority.create();
  await withDatabase(
    `localhost:${primary.port}`,
    `sslmode=verify-full&sslrootcert=${other.rootPath}`,
    (database) => assert.rejects(database.run(session), isUnreachable(/certificate/)),
  );
});

it('with sslmode=require and an own authority, the error says what to write, and nothing else warns', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  for (const mode of ['require', 'prefer', 'verify-ca'])
    await withDatabase(`localhost:${primary.port}`, `sslmode=${mode}`, (database) =>
      assert.rejects(
        database.run(session),
        isUnreachable(
          /certificate\. The certificate .* here: add sslmode=verify-full&sslrootcert=<its file> to the address, or sslmode=no-verify/,
        ),
      ),
    );
  await withDatabase(`localhost:${primary.port}`, 'sslmode=no-verify', async (database) => {
    assert.deepEqual(await database.run(session), [{ port: primary.port, ssl: true }]);
  });
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});

it('a certificate for another name than that of the address counts as unreachable', () =>
  withDatabase(`127.0.0.1:${primary.port}`, verified, (database) =>
    assert.rejects(database.run(session), isUnreachable(/does not match certificate/)),
  ));

it('the promoted server behind the address is used with TLS', async () => {
  const proxy = await startTcpProxy(primary.port);
  await withDatabase(`localhost:${proxy.port}`, verified, async (database) => {
    assert.deepEqual(await database.run(session), [{ port: primary.port, ssl: true }]);
    await primary.kill();
    await standby.promote();
    await proxy.leadTo(standby.port);
    const found = await waitFor('the promoted server', () =>
      database.transaction((tx) => tx.run(session)).catch(() => null),
    );
    assert.deepEqual(found, [{ port: standby.port, ssl: true }]);
  });
});
