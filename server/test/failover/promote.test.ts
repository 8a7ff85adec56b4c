// nightly: promotes a standby under load
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendHttp } from '../support/http-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { PostgresNode } from '../support/replication/postgres-node.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait-for.ts';
import { AdjustLoad } from './adjust-load.ts';

/** A primary and its synchronous standby, and a server that reaches them by one address, as behind HAProxy. */
async function startPair() {
  const primary = await PostgresNode.createPrimary();
  const standby = await primary.createStandby('standby');
  await primary.waitForStandbyAtCommit('standby');
  const proxy = await startTcpProxy(primary.port);
  const env = {
    DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/brandport`,
    BRANDPORT_DATA_DIR: await makeDataDir(),
  };
  const server = await startServerProcess({ env: { ...env, ...unlimitedCatalog } });
  /** Promotes the standby, and leads the address to it. */
  const failOver = async () => {
    await standby.promote();
    await proxy.leadTo(standby.port);
  };
  return { primary, standby, proxy, env, server, failOver };
}

const readiness = async (server: ServerProcess) => (await sendHttp(`${server.clientUrl}/readyz`)).status;

// [platform-20]
describe('a failover to the synchronous standby, under a load of adjustments', () => {
  test('after the primary was killed: nothing acknowledged is lost, no 500, writes within 3 s of the promotion', async (t) => {
    const { primary, standby, proxy, env, server, failOver } = await startPair();
    const load = await AdjustLoad.start(server);
    await waitFor('some adjustments', () => load.acknowledged > 50);
    await Promise.all([primary.kill(), proxy.cut()]);
    await waitFor('/readyz to be red', async () => (await readiness(server)) === 503, 3_000);
    await failOver();
    const promotedAt = performance.now();
    const gap = await waitFor('a write', () => load.msToNext(promotedAt));
    t.diagnostic(`${gap} ms from the promotion to the first write, ${JSON.stringify([...load.statuses])}`);
    assert.ok(gap < 3_000, `${gap} ms`);
    await waitFor('/readyz to be green', async () => (await readiness(server)) === 200);
    const before = load.acknowledged;
    await waitFor('more adjustments', () => load.acknowledged > before + 50);
    await load.stop();
    await load.check((text) => standby.sql(text));
    assert.ok(load.statuses.has(503), 'requests got 503 until then, and nothing else that is not retried');

    const doctor = await runCommand(env, 'doctor');
    assert.match(doctor.stdout, /everything adds up/);
    for (const command of ['migrate', 'retain'])
      assert.equal((await runCommand(env, command)).code, 0, command);
    const file = `${env.BRANDPORT_DATA_DIR}/backup.tar`;
    const backup = await runCommand(env, 'backup', file);
    assert.equal(backup.code, 0, backup.stderr);
    assert.equal((await server.stop()).code, 0);
  });

  test('a commit whose answer was lost with the primary is done once, and its retry gets its response', async () => {
    const { primary, standby, proxy, server, failOver } = await startPair();
    const load = await AdjustLoad.start(server);
    await waitFor('some adjustments', () => load.acknowledged > 20);
    await proxy.loseAnswerTo('commit\0');
    await Promise.all([primary.kill(), proxy.cut()]);
    await failOver();
    const before = load.acknowledged;
    await waitFor('more adjustments', () => load.acknowledged > before + 20);
    await load.stop();
    await load.check((text) => standby.sql(text));
    assert.equal((await server.stop()).code, 0);
  });

  test('after the primary froze: once the address leads to the new one, writes go there', async (t) => {
    const { primary, standby, server, failOver } = await startPair();
    const load = await AdjustLoad.start(server);
    await waitFor('some adjustments', () => load.acknowledged > 20);
    primary.signalAll('SIGSTOP');
    const frozenAt = performance.now();
    await waitFor('/readyz to be red', async () => (await readiness(server)) === 503, 4_000);
    // Longer than a connection attempt lasts. Failover managers wait longer.
    while (performance.now() - frozenAt < 12_000) await sleep(100);
    await failOver();
    const promotedAt = performance.now();
    const gap = await waitFor('a write', () => load.msToNext(promotedAt));
    t.diagnostic(`${gap} ms from the promotion to the first write, ${JSON.stringify([...load.statuses])}`);
    const before = load.acknowledged;
    await waitFor('more adjustments', () => load.acknowledged > before + 50);
    await load.stop();
    await load.check((text) => standby.sql(text));
    assert.equal((await server.stop()).code, 0);
    primary.signalAll('SIGCONT');
  });
});
