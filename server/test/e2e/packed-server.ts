import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { installTarballs } from '../../../client/tests/install-tarballs.ts';
import { findFreePort } from '../support/free-port.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const dir = await mkdtemp(join(tmpdir(), 'brandport-stranger-'));
after(() => rm(dir, { recursive: true, force: true }));
await chmod(dir, 0o755);
await installTarballs(dir, ['client', 'cli', 'server']);
await writeFile(join(dir, 'package.json'), '{ "private": true }');

/** Another user than root, who may write in `home` only. */
const home = join(dir, 'home');
await mkdir(home, { mode: 0o777 });
await chmod(home, 0o777);
const nobody =
  process.getuid?.() === 0
    ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) }
    : {};

/** Copies a Node to where another user may run it: checkouts and runtimes may be in folders of root alone. */
async function forEverybody(name: string, node: string): Promise<string> {
  const copy = join(dir, name.replace(' ', ''), 'node');
  await mkdir(dirname(copy));
  await copyFile(node, copy);
  await chmod(copy, 0o755);
  return copy;
}

const brandport = join(dir, 'node_modules/@brandport/cli/bin/brandport.js');

/** Runners of tests in which an integrator starts a sandbox: the path of each one's program. */
export interface Runners {
  readonly vitest?: string;
  readonly jest?: string;
}

/**
 * Describes what somebody without a checkout does with the three packages, as another user than root: a sandbox, a server,
 * and a test that starts a sandbox, in `node:test` and in the given runners.
 *
 * @param name of the runtime, such as `Node 24`
 * @param program the path of its program; null: it is not installed, and its tests are skipped
 */
export async function describePackedServer(
  name: string,
  program: string | null,
  { vitest, jest }: Runners = {},
): Promise<void> {
  const node = program === null ? null : await forEverybody(name, program);
  describe(`the packages in an empty directory, under ${name}`, { skip: node === null }, () => {
    const as = (env: NodeJS.ProcessEnv = {}) => ({
      ...nobody,
      cwd: home,
      env: { PATH: `${dirname(node ?? '')}:/usr/bin:/bin`, HOME: home, TMPDIR: home, ...env },
    });

    it('serve a sandbox on fixed ports, with guides, reference, console and the packages', async () => {
      const [port, internalPort] = [await findFreePort(), await findFreePort()];
      const env = { PORT: String(port), BRANDPORT_INTERNAL_PORT: String(internalPort) };
      const child = spawn(node ?? '', [brandport, 'sandbox', '--json'], as(env));
      let [output, errors] = ['', ''];
      child.stdout.on('data', (text) => (output += text));
      child.stderr.on('data', (text) => (errors += text));
      const ended = new Promise((resolve) => child.once('close', resolve));
      try {
        await waitFor('the sandbox', () => output.includes('\n') || child.exitCode !== null, 60_000);
        assert.equal(child.exitCode, null, errors);
        const ready = JSON.parse(output);
        assert.equal(ready.client, `http://127.0.0.1:${port}`);
        const authorization = `Bearer ${ready.api_key}`;
        const products = await fetch(`${ready.client}/v1/client/catalog/products`, {
          headers: { authorization },
        });
        assert.equal(products.status, 200);
        const { packages } = await (
          await fetch(`${ready.client}/sdk/`, { headers: { accept: 'application/json' } })
        ).json();
        assert.deepEqual(
          packages.map((each: { package: string }) => each.package),
          ['@brandport/client', '@brandport/cli'],
        );
        const page = await (await fetch(`${ready.client}/sdk/`)).text();
        assert.match(page, /does not have it to offer/);
        for (const url of [
          `${ready.client}/docs/`,
          `${ready.client}/docs/guides/sandbox`,
          `${ready.client}/docs/search?q=429`,
          `${ready.internal}/console/`,
        ])
          assert.equal((await fetch(url)).status, 200, url);
        assert.doesNotMatch(errors, /Warning/);
      } finally {
        child.kill('SIGINT');
        await ended;
      }
      assert.equal(child.exitCode, 0, errors);
    });

    it('start a server with the embedded PostgreSQL, and examine its data', async () => {
      const ports = {
        PORT: String(await findFreePort()),
        BRANDPORT_INTERNAL_PORT: String(await findFreePort()),
      };
      const env = { ...ports, BRANDPORT_DATA_DIR: join(home, `data of ${name}`) };
      const child = spawn(node ?? '', [brandport, 'serve'], {
        ...as(env),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      child.stderr.on('data', (text) => (errors += text));
      const ended = new Promise((resolve) => child.once('close', resolve));
      try {
        const url = `http://127.0.0.1:${ports.PORT}/readyz`;
        await waitFor(
          'the server',
          async () => {
            if (child.exitCode !== null) throw new Error(errors);
            return (await fetch(url).catch(() => null))?.status === 200;
          },
          60_000,
        );
      } finally {
        child.kill('SIGTERM');
        await ended;
      }
      assert.equal(child.exitCode, 0, errors);
      const { stdout } = await run(node ?? '', [brandport, 'doctor', '--json'], as(env));
      assert.doesNotThrow(() => JSON.parse(stdout), stdout);
    });

    const test = `test('has the demonstration catalog', async () => {
        const sandbox = await startSandbox({ command: [process.execPath, ${JSON.stringify(brandport)}, 'sandbox', '--json'] });
        const { catalog } = new Brandport({ baseUrl: sandbox.address, apiKey: sandbox.apiKey });
        let products = 0;
        for await (const product of catalog.products.list()) products += 1;
        await sandbox.stop();
        if (products === 0) throw new Error('no products');
      }, 60_000);`;
    const imports = `import { Brandport } from '@brandport/client';
      import { startSandbox } from '@brandport/client/testing';`;
    const programs: (readonly [runner: string, file: string, source: string, args: readonly string[]])[] = [
      [
        'node:test',
        'shop.mjs',
        `${imports} import { test as nodeTest } from 'node:test'; const test = (name, run) => nodeTest(name, run); ${test}`,
        ['--test', 'shop.mjs'],
      ],
    ];
    if (vitest !== undefined)
      programs.push([
        'Vitest',
        'shop.test.mjs',
        `${imports} import { test } from 'vitest'; ${test}`,
        [vitest, 'run', 'shop.test.mjs'],
      ]);
    if (jest !== undefined)
      programs.push([
        'Jest',
        'jest/shop.test.cjs',
        `const { Brandport } = require('@brandport/client'); const { startSandbox } = require('@brandport/client/testing'); ${test}`,
        [jest, '--no-watchman', '--rootDir', 'jest', '--testMatch', '**/shop.test.cjs'],
      ]);
    for (const [runner, file, source, args] of programs)
      it(`start a sandbox in ${runner}`, async () => {
        const folder = join(dir, name.replace(' ', ''));
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), source);
        await writeFile(join(folder, 'package.json'), '{ "private": true }');
        const env = { ...as().env, NODE_PATH: vitest === undefined ? '' : dirname(dirname(vitest)) };
        // As this user, who may read the runners.
        await run(node ?? '', [...args], { cwd: folder, env }).catch(({ stdout, stderr }) =>
          assert.fail(`${stdout}${stderr}`),
        );
      });
  });
}
