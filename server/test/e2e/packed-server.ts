import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { installTarballs } from '../../../client/tests/install-tarballs.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { findFreePort } from '../support/free-port.ts';
import { newStranger } from './stranger.ts';

const run = promisify(execFile);

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
 * @param program the path of its program; null: it is not installed, and nothing is tested
 */
export async function describePackedServer(
  name: string,
  program: string | null,
  { vitest, jest }: Runners = {},
): Promise<void> {
  if (program === null) return;
  const { dir, node, script, as, brandport, serve } = await newStranger(program);
  await installTarballs(dir, ['client', 'cli', 'server']);
  describe(`the packages in an empty directory, under ${name}`, () => {
    it('serve a sandbox on fixed ports, with guides, reference, console and the packages', async () => {
      const [PORT, internalPort] = [String(await findFreePort()), String(await findFreePort())];
      const env = { PORT, BRANDPORT_INTERNAL_PORT: internalPort };
      const server = await serve(env, ['sandbox', '--json']);
      const ready = JSON.parse(server.stdout());
      assert.equal(ready.client, `http://127.0.0.1:${PORT}`);
      await ok(server.clientWith(ready.api_key).get('/catalog/products'));
      const sdk = await fetch(`${ready.client}/sdk/`, { headers: { accept: 'application/json' } });
      const names = (await sdk.json()).packages.map((each: { package: string }) => each.package);
      assert.deepEqual(names, ['@brandport/client', '@brandport/cli']);
      const page = await (await fetch(`${ready.client}/sdk/`)).text();
      assert.match(page, /does not have it to offer/);
      for (const url of [
        `${ready.client}/docs/`,
        `${ready.client}/docs/guides/sandbox`,
        `${ready.client}/docs/search?q=429`,
        `${ready.internal}/console/`,
      ])
        assert.equal((await fetch(url)).status, 200, url);
      assert.doesNotMatch(server.stderr(), /Warning/);
      server.signal('SIGINT');
      assert.equal((await server.exit).code, 0, server.stderr());
    });

    it('start a server with the embedded PostgreSQL, and examine its data', async () => {
      const server = await serve();
      assert.equal((await server.stop()).code, 0, server.stderr());
      JSON.parse((await brandport(['doctor', '--json'])).stdout);
    });

    const test = `test('has the demonstration catalog', async () => {
        const sandbox = await startSandbox({ command: [process.execPath, ${JSON.stringify(script)}, 'sandbox', '--json'] });
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
        const folder = join(dir, 'shop');
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), source);
        await writeFile(join(folder, 'package.json'), '{ "private": true }');
        const env = { ...as().env, NODE_PATH: vitest === undefined ? '' : dirname(dirname(vitest)) };
        // As this user, who may read the runners.
        await run(node, [...args], { cwd: folder, env }).catch(({ stdout, stderr }) =>
          assert.fail(`${stdout}${stderr}`),
        );
      });
  });
}
