import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../support/fresh-database.ts';
import { startHaproxy } from '../support/haproxy-server.ts';
import { sendHttp } from '../support/http-client.ts';
import { seedBrand, seedKey } from '../support/seed.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { databaseUrl } from '../support/test-database.ts';

const program = findSystemProgram('haproxy', 'haproxy');

// [D39]
test('HAProxy leads each key to one process, and to another one without an error when that is killed', {
  skip: program === null,
}, async () => {
  const env = {
    DATABASE_URL: databaseUrl(await createDatabase()),
    BRANDPORT_DEMO: undefined,
    BRANDPORT_TRUSTED_PROXIES: '127.0.0.1',
    BRANDPORT_ROLE: 'api',
  };
  const first = await startServerProcess({ env });
  const second = await startServerProcess({ env });
  const servers = [first, second];
  const ports = servers.map(({ clientUrl }) => Number(new URL(clientUrl).port));
  const url = await startHaproxy(program ?? '', ports);

  const { brandId } = await seedBrand(first);
  const keys: string[] = [];
  for (let n = 0; n < 12; n += 1) keys.push((await seedKey(first, brandId)).apiKey);
  const read = (key: string, headers: Record<string, string> = {}) =>
    sendHttp(`${url}/v1/client/catalog/products`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });

  // Without Redis each process counts for itself: a key whose requests are spread would have more left.
  const limits = new Map<string, number>();
  for (const key of keys)
    for (let request = 1; request <= 4; request += 1) {
      const { status, text, headers } = await read(key);
      assert.equal(status, 200, text);
      const remaining = Number(headers['x-ratelimit-remaining']);
      if (request > 1) assert.equal(remaining, (limits.get(key) ?? 0) - 1);
      limits.set(key, remaining);
    }
  assert.ok(await servesSome(first), 'the keys are divided between both');
  assert.ok(await servesSome(second), 'the keys are divided between both');

  // The client's address and the public address are the proxy's word; a prefix is not.
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    host: 'api.example.com',
  };
  const document = await sendHttp(`${url}/openapi.json`, { headers: forged });
  assert.equal(document.json.servers[0].url, 'http://api.example.com');

  await second.kill9();
  for (const key of keys) {
    const { status, text } = await read(key);
    assert.equal(status, 200, text);
  }
  assert.equal((await first.stop()).code, 0);
});

async function servesSome({ internalUrl }: ServerProcess): Promise<boolean> {
  const { text } = await sendHttp(`${internalUrl}/metrics`);
  const counts = [
    ...text.matchAll(/^brandport_http_requests_total\{[^}]*\/catalog\/products[^}]*\} (\d+)$/gm),
  ];
  return counts.some(([, count]) => Number(count) >= 4);
}
