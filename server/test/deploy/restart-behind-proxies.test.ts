// nightly: restarts processes behind nginx and HAProxy under load
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scopes } from '../../src/api/access.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import { Traffic } from '../rolling-restart/traffic.ts';
import { findFreePort } from '../support/free-port.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { kitProxies } from '../support/kit-proxies.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { seedBrand } from '../support/seed.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** docs/operations.md, "Rolling restart": the time until HAProxy has seen that a process is ready. */
const settleMs = 2_000;

for (const [name, startProxy] of Object.entries(kitProxies)) {
  const program = findSystemProgram(name, name);
  // [D219]
  test(`a rolling restart behind ${name} fails no request, and a stopped service answers in its own format`, {
    skip: program === null,
    timeout: 240_000,
  }, async (t) => {
    const database = databaseUrl(await createDatabase());
    const start = async (port: number, role: string) =>
      startServerProcess({
        env: {
          DATABASE_URL: database,
          PORT: String(port),
          BRANDPORT_ROLE: role,
          BRANDPORT_TRUSTED_PROXIES: '127.0.0.1',
          ...unlimitedCatalog,
        },
      });
    const ports = [await findFreePort(), await findFreePort()];
    const apis: ServerProcess[] = [];
    for (const port of ports) apis.push(await start(port, 'api'));
    let worker = await start(await findFreePort(), 'worker');
    const target = await startProxy(program ?? '', ports);

    const brands = [1, 2, 3, 4].map((n) => seedBrand(apis[0] as ServerProcess, `Brand ${n}`, scopes));
    const keys = (await Promise.all(brands)).map(({ apiKey }) => apiKey);
    const traffics = keys.map((key) => new Traffic([target], key, 2));
    const acknowledged = () => traffics.reduce((sum, traffic) => sum + traffic.acknowledged.length, 0);
    await waitFor('both processes to serve', () => acknowledged() > 60, 60_000);
    for (const at of [0, 1, 0]) {
      const before = acknowledged();
      assert.equal((await (apis[at] as ServerProcess).stop()).code, 0);
      apis[at] = await start(ports[at] as number, 'api');
      await sleep(settleMs);
      assert.ok(acknowledged() > before, 'writes went on');
    }
    assert.equal((await worker.stop()).code, 0);
    worker = await start(await findFreePort(), 'worker');
    for (const traffic of traffics) await traffic.stop();
    const requests = traffics.reduce((sum, traffic) => sum + traffic.requests, 0);
    t.diagnostic(`${requests} requests`);
    assert.deepEqual(
      traffics.flatMap(({ failures }) => failures),
      [],
    );

    const headers = { ...target.headers, authorization: `Bearer ${keys[0]}` };
    const products = `${target.clientUrl}/v1/client/catalog/products`;
    for (const api of apis) assert.equal((await api.stop()).code, 0);
    const refused = await sendHttp(products, { headers, agent: target.agent });
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.headers['content-type'] ?? '', /^application\/json; charset=utf-8$/);
    assert.equal(refused.headers['retry-after'], '5');
    assert.deepEqual(refused.json, {
      code: 'service_unavailable',
      message: 'The service is temporarily unavailable.',
      doc_url: '/docs/guides/errors/service_unavailable',
    });
    if (name !== 'nginx') return;
    const { code, message } = new ApiError('bad_request');
    const tooLarge = { ...headers, 'x-large': 'x'.repeat(40_000) };
    const unreadable = await sendHttp(products, { headers: tooLarge, agent: target.agent });
    assert.equal(unreadable.status, 400, unreadable.text);
    assert.deepEqual(unreadable.json, { code, message, doc_url: `/docs/guides/errors/${code}` });
  });
}
