// processes: starts a sandbox
import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { Brandport } from '../src/index.ts';
import { type SandboxBrand, startSandbox } from '../src/testing/index.ts';

const server = join(fileURLToPath(new URL('../..', import.meta.url)), 'server/src/main.ts');
// A set-up that tests a program of a shop has the database of the shop.
process.env['DATABASE_URL'] = 'postgres://localhost/shop';
const sandbox = await startSandbox({ command: [process.execPath, server, 'sandbox', '--json'] });
delete process.env['DATABASE_URL'];
after(() => sandbox.stop());
registerCanary(sandbox.apiKey);

describe('startSandbox', () => {
  it('starts one sandbox for a test run, with the demonstration catalog', async () => {
    const same = await startSandbox({ command: ['/none'] });
    assert.equal(same.address, sandbox.address);
    await same.stop();
    const { catalog } = new Brandport({ baseUrl: sandbox.address, apiKey: sandbox.apiKey });
    const data = await catalog.products.list().toArray();
    assert.ok(data.length > 0);
  });

  it('creates a brand for each test', async (test) => {
    const brands: SandboxBrand[] = [];
    const start = performance.now();
    for (let time = 0; time < 9; time += 1) brands.push(await sandbox.newBrand());
    test.diagnostic(`${Math.round((performance.now() - start) / 9)} ms a brand`);
    for (const { apiKey } of brands) registerCanary(apiKey);
    assert.equal(new Set(brands.map(({ brandId }) => brandId)).size, 9);
    assert.equal(new Set(brands.map(({ apiKey }) => apiKey)).size, 9);
  });

  it('gives a brand faults, and reports its mistakes: the SDK makes none', async () => {
    const brand = await sandbox.newBrand();
    registerCanary(brand.apiKey);
    const { catalog } = new Brandport({ baseUrl: brand.address, apiKey: brand.apiKey });
    const { products } = catalog;
    await brand.faults([
      { operation: 'createProduct', every: 2, fault: 'drop-after-commit' },
      { operation: 'createProduct', every: 3, fault: 'status=503; retry-after=1' },
      { operation: 'listProducts', every: 2, fault: 'truncate' },
    ]);
    for (const sku of ['A', 'B', 'C', 'D']) await products.create({ sku });
    for (let time = 0; time < 2; time += 1)
      assert.equal((await products.list({ sku: 'A' }).toArray()).length, 1);
    assert.deepEqual(await brand.report(), []);
    const headers = { authorization: `Bearer ${brand.apiKey}`, 'content-type': 'application/json' };
    const url = `${brand.address}/v1/client/catalog/products`;
    await fetch(url, { method: 'POST', headers, body: '{"sku":"E"}' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(
      (await brand.report()).map(({ mistake }) => mistake),
      ['wrote_without_key'],
    );
    assert.deepEqual(await sandbox.report(), []);
    await assert.rejects(brand.faults([{ fault: 'explode' }]), /rules\.0\.fault/);
  });

  it('moves the clock', async () => {
    const now = Date.parse(await sandbox.clock({ advance_seconds: 7_200 }));
    assert.ok(Math.abs(now - Date.now() - 7_200_000) < 10_000);
  });

  it('ends', async () => {
    await sandbox.stop();
    await assert.rejects(fetch(sandbox.address));
  });
});
