// processes: executes every example of a page
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, clientUrl, internalUrl, newBrand } = await startSdkService({ runsJobs: true });
after(() => apps.clientApp.close());

const packageDir = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'brandport-readme-'));
after(() => rmSync(dir, { recursive: true, force: true }));

/** The examples of the README in their order, as one module: the imports first. */
function examples(): string {
  const readme = readFileSync(join(packageDir, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);
  assert.ok(blocks.length >= 10, `only ${blocks.length} examples were found`);
  const imports = new Set(blocks.flatMap((code) => code.match(/^import .*$/gm) ?? []));
  return [...imports, ...blocks.map((code) => code.replaceAll(/^import .*$/gm, ''))].join('\n');
}

describe('the README of the SDK', () => {
  it('has examples that work, one after the other, on a new brand', async () => {
    const { apiKey, brandId, brandport } = await newBrand();
    mkdirSync(join(dir, 'node_modules/@brandport'), { recursive: true });
    symlinkSync(packageDir, join(dir, 'node_modules/@brandport/client'));
    writeFileSync(join(dir, 'readme.mjs'), examples());
    writeFileSync(join(dir, 'stock.csv'), 'article;store;quantity\nTEE-red;hall;5\ncap;hall;7\n');
    const env = {
      BRANDPORT_URL: clientUrl,
      BRANDPORT_API_KEY: apiKey,
      BRANDPORT_INTERNAL_URL: internalUrl,
      BRANDPORT_ADMIN_TOKEN: testAdminToken,
    };
    const args = ['--conditions=source', 'readme.mjs'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dir, env, timeout: 120_000 });
    for (const expected of [
      'TEE\n',
      /^taken by \S+$/m,
      /^1 cap unknown_sku Create the product/m,
      /^2026-11-01 0 /m,
      /^getCatalogStatus 200 1 /m,
      new RegExp(`^${brandId} Test brand$`, 'm'),
    ])
      assert.ok(typeof expected === 'string' ? stdout.includes(expected) : expected.test(stdout), stdout);
    const { data } = await brandport.catalog.stock.levels({ sku: 'TEE-red' }).first();
    assert.equal(data[0]?.quantity, 5);
  });
});
