import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/fresh-database.ts';
import { logLinesOf } from '../support/server-output.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

for (const how of ['cut', 'hang'] as const)
  test(`a worker without its database (${how}) logs one line when it goes and one when it returns`, async () => {
    const address = await createDatabase();
    const proxy = await startTcpProxy(join(address.host, `.s.PGSQL.${address.port}`));
    const url = databaseUrl({ ...address, host: '127.0.0.1', port: proxy.port });
    const server = await startServerProcess({ env: { DATABASE_URL: url, BRANDPORT_ROLE: 'worker' } });
    const before = logLinesOf(server.stderr()).length;
    // The analytics store, which may be another database, has lines too, and so has a job that was running.
    const lines = () =>
      logLinesOf(server.stderr())
        .slice(before)
        .filter(({ msg, level }) => level >= 40 || msg.startsWith('database'))
        .filter(({ msg }) => !/^(analytics store|job failed)/.test(msg));
    const has = (text: string) => () => lines().some(({ msg }) => msg.includes(text));
    await proxy[how]();
    await waitFor('the first line', has('database unreachable'), 40_000);
    // Many polls of each queue; longer than a statement waits.
    await sleep(25_000);
    await proxy.restore();
    await waitFor('the last line', has('database reachable again'), 40_000);
    const messages = lines().map(({ msg }) => msg);
    assert.equal(messages.length, 2, JSON.stringify(lines()));
    assert.equal((await server.stop()).code, 0);
  });
