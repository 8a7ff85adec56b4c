// nightly: it times failovers
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unlimitedCatalog } from '../support/limits.ts';
import { type Member, PatroniCluster } from '../support/patroni/patroni-cluster.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { waitFor } from '../support/wait-for.ts';
import { AdjustLoad } from './adjust-load.ts';

const [patroni, etcd, haproxy] = [
  findSystemProgram('patroni', 'patroni'),
  findSystemProgram('etcd', 'etcd-server'),
  findSystemProgram('haproxy', 'haproxy'),
];

test('Patroni replaces a lost leader and switches over, under load, with the files of deploy/patroni', {
  skip: [patroni, etcd, haproxy, findSystemProgram('psql', 'postgresql-client')].includes(null),
}, async (t) => {
  const cluster = await PatroniCluster.start({ patroni, etcd, haproxy } as never);
  const [first, second] = cluster.members;
  const url = `postgresql://postgres@127.0.0.1:${cluster.proxyPort}/brandport`;
  const env = { ...unlimitedCatalog, DATABASE_URL: url, BRANDPORT_DATA_DIR: await makeDataDir() };
  const server = await startServerProcess({ env });
  const load = await AdjustLoad.start(server);

  async function untilWritten(what: string, to: Member): Promise<void> {
    await cluster.untilRole(to, 'primary');
    const since = performance.now();
    const gap = await waitFor('a write', () => load.msToNext(since));
    t.diagnostic(`${what}: ${gap} ms after the new leader, ${JSON.stringify([...load.statuses])}`);
    assert.ok(gap < 3_000, `${gap} ms`);
    const before = load.acknowledged;
    await waitFor('more adjustments', () => load.acknowledged > before + 20);
  }

  await waitFor('some adjustments', () => load.acknowledged > 20);
  cluster.killMember(first);
  await untilWritten('machine lost', second);
  await cluster.startMember(first);
  await cluster.untilRole(first, 'synchronous');
  await cluster.switchOver(second, first);
  await untilWritten('switchover', first);

  await load.stop();
  await load.check((text) => cluster.sql(first, text));
  assert.equal((await server.stop()).code, 0);
});
