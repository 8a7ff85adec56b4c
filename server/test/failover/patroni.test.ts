// A separate job, `npm run test:patroni`, because it times failovers; no ring runs it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Member, PatroniCluster } from '../support/patroni/patroni-cluster.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { waitFor } from '../support/wait-for.ts';
import { AdjustLoad, unlimited } from './adjust-load.ts';

const [patroni, etcd, haproxy] = [
  findSystemProgram('patroni', 'patroni'),
  findSystemProgram('etcd', 'etcd-server'),
  findSystemProgram('haproxy', 'haproxy'),
];

// [D186]
test('Patroni replaces a lost leader and switches over, under load, with the files of deploy/patroni', {
  skip: [patroni, etcd, haproxy, findSystemProgram('psql', 'postgresql-client')].includes(null),
}, async (t) => {
  const cluster = await PatroniCluster.start({ patroni, etcd, haproxy } as never);
  const [first, second] = cluster.members;
  const hosts = cluster.members.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const urls = {
    haproxy: `postgresql://postgres@127.0.0.1:${cluster.proxyPort}/brandport`,
    hosts: `postgresql://postgres@${hosts}/brandport?target_session_attrs=read-write`,
  };
  const servers = [];
  const loads: [string, AdjustLoad][] = [];
  for (const [name, url] of Object.entries(urls)) {
    const env = { ...unlimited, DATABASE_URL: url, BRANDPORT_DATA_DIR: await makeDataDir() };
    const server = await startServerProcess({ env });
    servers.push(server);
    loads.push([name, await AdjustLoad.start(server, name)]);
  }

  async function untilWritten(what: string, to: Member): Promise<void> {
    await cluster.untilRole(to, 'primary');
    const since = performance.now();
    for (const [name, load] of loads) {
      const gap = await waitFor('a write', () => load.msToNext(since));
      t.diagnostic(
        `${what}, by ${name}: ${gap} ms after the new leader, ${JSON.stringify([...load.statuses])}`,
      );
      assert.ok(gap < 3_000, `${gap} ms by ${name}`);
      const before = load.acknowledged;
      await waitFor('more adjustments', () => load.acknowledged > before + 20);
    }
  }

  for (const [, load] of loads) await waitFor('some adjustments', () => load.acknowledged > 20);
  cluster.killMember(first);
  await untilWritten('machine lost', second);
  await cluster.startMember(first);
  await cluster.untilRole(first, 'synchronous');
  await cluster.switchOver(second, first);
  await untilWritten('switchover', first);

  for (const [, load] of loads) await load.stop();
  for (const [, load] of loads) await load.check((text) => cluster.sql(first, text));
  for (const server of servers) assert.equal((await server.stop()).code, 0);
});
