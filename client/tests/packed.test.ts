// soak: packs the SDK, installs it in an empty directory, and runs it under every supported runtime
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { version } from '../src/version.ts';
import { startSdkService } from './sdk-service.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const journeys = fileURLToPath(new URL('./journeys/', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'brandport-packed-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

const installed = installPackage();
const packed = join(installed, 'node_modules/@brandport/client');

/** Packs a copy of the workspace as `npm publish` would, and installs the tarball in an empty directory [D141]. */
function installPackage(): string {
  const copy = join(dir, 'project');
  cpSync(join(project, 'client'), join(copy, 'client'), {
    recursive: true,
    filter: (path) => !/client\/(tests|dist|node_modules)$/.test(path),
  });
  cpSync(join(project, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  const path = `${join(project, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH: path };
  execFileSync('npm', ['pack', '--pack-destination', dir], { cwd: join(copy, 'client'), env, stdio: 'pipe' });
  const target = join(dir, 'installed');
  mkdirSync(target);
  writeFileSync(join(target, 'package.json'), '{"private":true}');
  const tarball = join(dir, `brandport-client-${version}.tgz`);
  execFileSync('npm', ['install', '--offline', '--no-audit', tarball], { cwd: target, env, stdio: 'pipe' });
  cpSync(journeys, target, { recursive: true });
  return target;
}

/**
 * Finds a runtime in `BRANDPORT_RUNTIMES`, where `.ci/run` installs them, or in the path. Without it, a run that requires
 * all programs fails; any other one says what is not tested.
 */
function findRuntime(name: string, isRight: (versionText: string) => boolean): string | null {
  const folders = [process.env['BRANDPORT_RUNTIMES'] ?? '', ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && isRight(execFileSync(path, ['--version'], { encoding: 'utf8' })));
  if (found !== undefined) return found;
  const message = `${name} is not installed: npm install --prefix <dir> --no-save node@20 bun deno, and set BRANDPORT_RUNTIMES=<dir>/node_modules/.bin`;
  if (process.env['BRANDPORT_REQUIRE_PROGRAMS'] === '1') throw new Error(message);
  process.stderr.write(`\n*** NOT TESTED: ${message} ***\n\n`);
  return null;
}

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

  it('stays small: 25 KB of compressed code, 3,000 lines of source', () => {
    const code = globSync('dist/**/*.js', { cwd: packed }).map((path) =>
      readFileSync(join(packed, path), 'utf8'),
    );
    const bytes = gzipSync(code.join('\n'), { level: 9 }).length;
    assert.ok(bytes <= 25 * 1024, `${bytes} bytes`);
    const lines = globSync('client/src/**/*.ts', { cwd: project })
      .filter((path) => !path.includes('/generated/'))
      .flatMap((path) => readFileSync(join(project, path), 'utf8').split('\n'))
      .filter((line) => !/^\s*(\/\/|\/\*|\*|$)/.test(line)).length;
    assert.ok(lines <= 3_000, `${lines} lines without comments`);
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

  for (const [name, compiler] of [
    ['the TypeScript of the project', 'node_modules/typescript/bin/tsc'],
    ['TypeScript 5.9', 'checks/node_modules/typescript/bin/tsc'],
  ] as const)
    it(`has types that compile strictly with ${name}`, async () => {
      const types = ['--types', 'node', '--typeRoots', join(project, 'node_modules/@types')];
      const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const modules = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023'];
      const args = [join(project, compiler), ...flags, ...modules, ...types, 'types.ts'];
      await run(process.execPath, args, { cwd: installed }).catch(({ stdout }) => assert.fail(stdout));
    });
});
