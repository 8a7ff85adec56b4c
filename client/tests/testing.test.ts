// processes: starts a sandbox
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { Brandport } from '../src/index.ts';
import { type SandboxBrand, startSandbox } from '../src/testing/index.ts';

const server = join(fileURLToPath(new URL('../..', import.meta.url)), 'server/src/main.ts');
// A set-up that tests a program of a shop has the database of the shop.
process.env['DATABASE_URL'] = 'postgres://localhost/shop';
// As npx does, the shell ends at once and the sandbox after it.
const command = ['sh', '-c', '"$0" "$1" sandbox --json & wait', process.execPath, server] as const;
const sandbox = await startSandbox({ command });
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

  it('creates a brand for each test', async () => {
    const brands: SandboxBrand[] = [];
    for (let time = 0; time < 9; time += 1) brands.push(await sandbox.newBrand());
    for (const { apiKey } of brands) registerCanary(apiKey);
    assert.equal(new Set(brands.flatMap(({ brandId, apiKey }) => [brandId, apiKey])).size, 18);
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

  it('ends at the end of a script', async () => {
    const script = `import { startSandbox } from '@brandport/client/testing';
      const sandbox = await startSandbox({ command: ${JSON.stringify(command)} });
      await sandbox.stop();
      console.log('ended');`;
    const args = ['--conditions=source', '--input-type=module', '--eval', script];
    assert.equal((await promisify(execFile)(process.execPath, args)).stdout, 'ended\n');
  });
});
