import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerCanary } from '../support/canaries.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const env = { DATABASE_URL: databaseUrl(await createDatabase()), BRANDPORT_DATA_DIR: await makeDataDir() };

describe('the first brand', () => {
  it('is created by the two commands that the first start names', async () => {
    const server = await startServerProcess({ env });
    // Standard error has nothing but JSON.
    const messages = server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg as string);
    assert.match(
      messages.find((message) => message.startsWith('there is no brand yet')) ?? '',
      /run npx brandport brands create --database "Maison Aurore", then npx brandport keys create --database --brand 1 --scopes all --name PIM,/,
    );

    const brand = await runCommand(env, 'brands', 'create', 'Maison Aurore', '--currency', 'CHF', '--quiet');
    assert.deepEqual([brand.code, brand.stdout], [0, '1\n'], brand.stderr);
    const key = await runCommand(
      env,
      ...['keys', 'create', '--quiet', '--brand', '1', '--scopes', 'all', '--name', 'PIM'],
    );
    assert.equal(key.code, 0, key.stderr);
    assert.match(key.stdout, /^tuk_[0-9a-f]{24}\.\w{40}\n$/);
    const apiKey = key.stdout.trim();
    registerCanary(apiKey.slice(apiKey.indexOf('.') + 1));
    assert.ok(!key.stderr.includes(apiKey));
    const created = await server.clientWith(apiKey).create('/catalog/products', { sku: 'FIRST' });
    assert.equal(created.status, 201);
    assert.equal(created.json.price_currency, 'CHF');
    const { data } = (await server.admin.get('/audit')).json;
    assert.deepEqual(
      data.map(({ action }: { action: string }) => action),
      ['api_key.create', 'brand.create'],
    );
    await server.stop();
    const again = await startServerProcess({ env });
    assert.doesNotMatch(again.stderr(), /npx brandport/);
    await again.stop();
  });

  it('is not created from arguments that are invalid', async () => {
    const keyOf = (brand: string, scopes: string, ...others: string[]) =>
      ['keys', 'create', '--brand', brand, '--scopes', scopes, ...others] as const;
    for (const [args, message] of [
      [['brands', 'create', ''], /^name /m],
      [['brands', 'create', 'B', '--currency', 'euro'], /^settings\.currency /m],
      [keyOf('99', 'all'), /^There is no brand 99\.$/m],
      [keyOf('x', 'all'), /^There is no brand x\.$/m],
      [keyOf('1', 'catalog'), /^There is no scope "catalog"\. Scopes: all, catalog\.products:read, /m],
      [keyOf('1', 'all', '--expires', 'tomorrow'), /^expires_at /m],
      [keyOf('1', 'all', '--expires', '2020-01-01T00:00:00Z'), /^expires_at /m],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(env, ...args);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
  });
});
