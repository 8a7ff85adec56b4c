// nightly: waits for pauses between attempts to connect
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { type LogLine, logLinesOf } from '../support/server-output.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

for (const [role, how, ms] of [
  // Many polls of each queue; longer than a statement waits.
  ['worker', 'cut', 25_000],
  ['worker', 'hang', 25_000],
  ['api', 'cut', 5_000],
] as const)
  test(`a process (${role}) without its database (${how}) logs one line when it goes and one when it returns`, async () => {
    const address = await createDatabase();
    const proxy = await startTcpProxy(address);
    const url = databaseUrl({ ...address, host: '127.0.0.1', port: proxy.port });
    const server = await startServerProcess({ env: { DATABASE_URL: url, BRANDPORT_ROLE: role } });
    const before = logLinesOf(server.stderr()).length;
    // Each refused request has its line, as have those of a minute together, and a job that was running.
    const lines = () =>
      (logLinesOf(server.stderr()) as (LogLine & { reqId?: string })[])
        .slice(before)
        .filter(({ msg, level }) => level >= 40 || msg.startsWith('database'))
        .filter(({ msg, reqId }) => reqId === undefined && !/^job failed|^requests without/.test(msg));
    const has = (text: string) => () => lines().some(({ msg }) => msg.includes(text));
    await proxy[how]();
    await waitFor('the first line', has('database unreachable'), 40_000);
    const end = performance.now() + ms;
    while (performance.now() < end) {
      if (role === 'api') {
        const headers = { authorization: `Bearer tuk_${'0'.repeat(24)}.${'x'.repeat(40)}` };
        const { status } = await sendHttp(`${server.clientUrl}/v1/client/catalog/products`, { headers });
        assert.equal(status, 503);
      }
      await sleep(200);
    }
    await proxy.restore();
    await waitFor('the last line', has('database reachable again'), 40_000);
    const messages = lines().map(({ msg }) => msg);
    assert.equal(messages.length, 2, JSON.stringify(lines()));
    const [, failures] =
      /^database reachable again after \d+ s, (\d+) failed attempts$/.exec(messages[1] ?? '') ??
      assert.fail(messages[1]);
    assert.ok(Number(failures) >= 5, failures);
    assert.equal((await server.stop()).code, 0);
  });
