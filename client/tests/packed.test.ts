// nightly: packs the SDK, installs it in an empty directory, and runs it under every supported runtime
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '../src/version.ts';
import { findRuntime } from './find-runtime.ts';
import { tarballOf } from './install-tarballs.ts';
import { startSdkService } from './sdk-service.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const journeys = fileURLToPath(new URL('./journeys/', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'brandport-packed-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

const installed = await installPackage();
const packed = join(installed, 'node_modules/@brandport/client');

/** Installs the tarball in an empty directory [D272]. */
async function installPackage(): Promise<string> {
  const target = join(dir, 'installed');
  mkdirSync(target);
  writeFileSync(join(target, 'package.json'), '{"private":true}');
  const args = ['install', '--offline', '--no-audit', await tarballOf('client')];
  execFileSync('npm', args, { cwd: target, stdio: 'pipe' });
  cpSync(journeys, target, { recursive: true });
  return target;
}

const jest = findRuntime('jest', (text) => text.startsWith('29.'));
const typescript50 = findRuntime('../typescript-5.0/bin/tsc', (text) => text.includes('5.0.'));
const typescript59 = join(project, 'checks/node_modules/typescript/bin/tsc');

const runtimes: readonly { name: string; command: string | null; args: readonly string[] }[] = [
  { name: 'Node 24', command: process.execPath, args: [] },
  { name: 'Node 20', command: findRuntime('node', (text) => text.startsWith('v20.')), args: [] },
  { name: 'Bun', command: findRuntime('bun', () => true), args: [] },
  { name: 'Deno', command: findRuntime('deno', () => true), args: ['run', '--allow-all'] },
];

describe('the packed SDK', () => {
  it('has no dependency, no source and no test, and its version', () => {
    const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
    assert.equal(manifest.version, version);
    assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined]);
    assert.deepEqual(readdirSync(packed).sort(), ['README.md', 'dist', 'package.json']);
    assert.deepEqual(
      readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@brandport'],
    );
  });

  for (const { name, command, args } of runtimes)
    for (const file of ['import.mjs', 'require.cjs'])
      it(`works under ${name} by ${file}`, { skip: command === null }, async () => {
        const { apiKey } = await newBrand();
        const env = {
          PATH: process.env['PATH'],
          HOME: dir,
          BRANDPORT_URL: clientUrl,
          BRANDPORT_API_KEY: apiKey,
        };
        const options = { cwd: installed, env, timeout: 60_000 };
        const { stdout } = await run(command ?? '', [...args, file], options);
        assert.deepEqual(JSON.parse(stdout), {
          skus: ['A', 'B'],
          code: 'duplicate_sku',
          isRateLimited: false,
          changed: ['A', 'B'],
          lines: 1,
        });
      });

  for (const { name, command, args } of runtimes)
    it(`has one copy of its classes under ${name}`, { skip: command === null }, async () => {
      const { stdout } = await run(command ?? '', [...args, 'one-copy.mjs'], { cwd: installed });
      assert.equal(stdout, 'true');
    });

  it('works in Jest with its defaults', { skip: jest === null }, async () => {
    const { apiKey } = await newBrand();
    writeFileSync(
      join(installed, 'shop.test.js'),
      `const { Brandport, DuplicateSku } = require('@brandport/client');
       test('creates a product once', async () => {
         const { BRANDPORT_URL: baseUrl, BRANDPORT_API_KEY: apiKey } = process.env;
         const { products } = new Brandport({ baseUrl, apiKey }).catalog;
         expect(await products.create({ sku: 'J' })).toMatchObject({ sku: 'J' });
         await expect(products.create({ sku: 'J' })).rejects.toThrow(DuplicateSku);
       });`,
    );
    const env = { ...process.env, BRANDPORT_URL: clientUrl, BRANDPORT_API_KEY: apiKey };
    const { stderr } = await run(jest ?? '', ['--no-watchman'], { cwd: installed, env });
    assert.match(stderr, /Tests: +1 passed, 1 total/);
  });

  const node = ['--types', 'node', '--typeRoots', join(project, 'node_modules/@types'), '--lib', 'es2023'];
  // The types of Node 24 need a later TypeScript than 5.0.
  const dom = ['--lib', 'es2022,dom,dom.iterable'];
  for (const [name, compiler, libs, modules] of [
    ['the TypeScript of the project', join(project, 'node_modules/typescript/bin/tsc'), node, 'nodenext'],
    ['TypeScript 5.9', typescript59, node, 'nodenext'],
    ['TypeScript 5.9', typescript59, node, 'commonjs --moduleResolution node10'],
    ['TypeScript 5.0', typescript50, dom, 'commonjs --moduleResolution node10'],
    ['TypeScript 5.0', typescript50, dom, 'node16'],
    ['TypeScript 5.0', typescript50, dom, 'es2022 --moduleResolution bundler'],
  ] as const)
    it(`has types that compile strictly with ${name}, module ${modules}`, {
      skip: compiler === null,
    }, async () => {
      const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const target = ['--module', ...modules.split(' '), '--target', 'es2022'];
      const args = [compiler ?? '', ...flags, ...target, ...libs, 'types.ts'];
      await run(process.execPath, args, { cwd: installed }).catch(({ stdout }) => assert.fail(stdout));
    });
});
