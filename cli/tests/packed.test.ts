// processes, alone: packs the command line and the SDK, and runs them without the rest of the project under Node 20 and 24
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { findRuntime } from '../../client/tests/find-runtime.ts';
import { installTarballs } from '../../client/tests/install-tarballs.ts';
import { startCliService } from './cli-service.ts';
import { newPostgres } from './pull-databases.ts';

const dir = mkdtempSync(join(tmpdir(), 'brandport-cli-packed-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

const packed = join(dir, 'node_modules/@brandport/cli');
await installTarballs(dir);

const node20 = findRuntime('node', (text) => text.startsWith('v20.'));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const options = { cwd: dir, env: { PATH: process.env['PATH'], HOME: dir, ...env }, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(node, [join(packed, 'bin/brandport.js'), ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('the packed SDK', () => {
  const sdk = join(dir, 'node_modules/@brandport/client');
  // Programs do not load `testing`: it is for tests, and counted alone [D140].
  const isOfTests = (path: string) => path.includes('/testing/');

  it('stays small: 30 KB of compressed code', () => {
    const code = globSync('dist/**/*.{js,mjs}', { cwd: sdk })
      .filter((path) => !isOfTests(path))
      .map((path) => readFileSync(join(sdk, path), 'utf8'));
    const bytes = gzipSync(code.join('\n'), { level: 9 }).length;
    assert.ok(bytes <= 30 * 1024, `${bytes} bytes`);
  });

  it('has 3,200 lines of source', () => {
    const cwd = fileURLToPath(new URL('../../client/src', import.meta.url));
    const sources = globSync('**/*.ts', { cwd }).filter((path) => !path.startsWith('generated/'));
    const count = (paths: readonly string[]) =>
      paths
        .flatMap((path) => readFileSync(join(cwd, path), 'utf8').split('\n'))
        .filter((line) => !/^\s*(\/\/|\/\*|\*|$)/.test(line)).length;
    const isTesting = (path: string) => path.startsWith('testing/');
    const lines = count(sources.filter((path) => !isTesting(path)));
    assert.ok(lines <= 3_200, `${lines} lines without comments`);
    const ofTests = count(sources.filter(isTesting));
    assert.ok(ofTests > 0 && ofTests <= 120, `${ofTests} lines of testing without comments`);
  });
});

describe('the packed command line', () => {
  it('has no source and no test', () => {
    assert.deepEqual(readdirSync(packed).sort(), ['README.md', 'bin', 'dist', 'package.json']);
    assert.deepEqual(globSync('**/*test*', { cwd: packed }), []);
    assert.deepEqual(readdirSync(join(packed, 'bin')), ['brandport.js', 'tap-brandport.js']);
  });

  it('stays small: 100 KB of compressed code', () => {
    const code = globSync('dist/**/*.js', { cwd: packed }).map((path) =>
      readFileSync(join(packed, path), 'utf8'),
    );
    const bytes = gzipSync(code.join('\n'), { level: 9 }).length;
    assert.ok(bytes <= 100 * 1024, `${bytes} bytes`);
  });

  for (const [name, node] of [
    ['Node 24', process.execPath],
    ['Node 20', node20],
  ] as const)
    describe(`under ${name}`, { skip: node === null }, () => {
      const brandport = (args: readonly string[], env?: NodeJS.ProcessEnv) => run(node as string, args, env);

      it('helps, lists products and reports the version', async () => {
        const brand = await newCliBrand();
        await brand.brandport.catalog.products.create({ sku: 'TEE' });
        const { code, stdout, stderr } = await brandport(['products', 'list', '--json'], brand.env);
        assert.deepEqual([code, stderr], [0, '']);
        assert.equal(JSON.parse(stdout)[0].sku, 'TEE');
        assert.match((await brandport(['products', 'list'], brand.env)).stdout, /TEE/);
        assert.match((await brandport(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
        const settings = join(dir, 'settings.env');
        const text = Object.entries(brand.env).map(([variable, value]) => `${variable}=${value}\n`);
        writeFileSync(settings, text.join(''));
        const read = await brandport(['--env-file', settings, 'products', 'list', '--quiet']);
        assert.deepEqual([read.code, read.stderr, read.stdout.trim().length], [0, '', 21]);
        const help = await brandport([]);
        assert.deepEqual([help.code, /^Usage: brandport/.test(help.stdout)], [0, true]);
      });

      it('shows the commands that can be used, and all on request', async () => {
        const brand = await newCliBrand();
        const shown = async (args: readonly string[], env?: NodeJS.ProcessEnv) => {
          const { stdout } = await brandport(args, env);
          return ['feeds', 'keys', 'doctor'].filter((command) =>
            new RegExp(`^  ${command} `, 'm').test(stdout),
          );
        };
        assert.deepEqual(await shown(['--help']), ['feeds']);
        assert.match((await brandport(['--help'])).stdout, /^`brandport --help --all` lists the commands /m);
        assert.deepEqual(await shown(['--help'], brand.env), ['feeds', 'keys']);
        assert.deepEqual(await shown(['--help', '--all']), ['feeds', 'keys', 'doctor']);
        assert.doesNotMatch((await brandport(['feeds', '--help'])).stdout, /requeue/);
        assert.match((await brandport(['feeds', '--help'], brand.env)).stdout, /requeue/);
      });

      it('loads every command', async () => {
        const { code, stdout, stderr } = await brandport(['completion', 'bash']);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /'keys handover'/);
      });

      it('pulls into files and PostgreSQL', async () => {
        const brand = await newCliBrand();
        const files = await brandport(['pull', '--out', `files ${name}`], brand.env);
        assert.equal(files.code, 0, files.stderr);
        const tables = await brandport(['pull', '--out', await newPostgres()], brand.env);
        assert.equal(tables.code, 0, tables.stderr);
      });

      it('says that the commands of the server need the server', async () => {
        for (const args of [
          ['doctor'],
          ['serve'],
          ['brands', 'create', 'x', '--database'],
          ['backup', '--help'],
        ]) {
          const { code, stdout, stderr } = await brandport(args);
          assert.deepEqual([code, stdout], [2, '']);
          assert.equal(
            stderr,
            `error: '${args[0]}' needs the server, which is not installed here. The page /sdk/ of a Brandport has the command that installs it.\n`,
          );
        }
      });
    });
});
