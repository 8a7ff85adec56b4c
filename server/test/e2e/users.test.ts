import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { sendHttp } from '../support/http-client.ts';
import { makeDataDir, projectDir, startServerProcess } from '../support/server-process.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stderr.write('\n*** NOT TESTED: this is not root, the tests of users.test.ts are SKIPPED ***\n\n');

/** Starts exactly as an operator does: the data directory is ./data. */
const asTyped = {
  BRANDPORT_DATA_DIR: undefined,
  BRANDPORT_ADMIN_TOKEN: undefined,
  BRANDPORT_DEMO: undefined,
};

describe('the user who starts the server', { skip: !isRoot, concurrency: 2 }, () => {
  // [internal-10]
  test('root starts it in a directory that only root may enter, with the project in there', async () => {
    const parent = await makeDataDir();
    await chmod(parent, 0o700);
    const project = await copyProject(join(parent, 'project'));
    const server = await startServerProcess({ project, env: asTyped });
    assert.equal(server.dataDir, join(project, 'data'));
    assert.match(server.stderr(), /demo brand created/);
    assert.equal((await sendHttp(`${server.clientUrl}/readyz`)).status, 200);
    await server.kill9();
    const next = await startServerProcess({ project, env: asTyped });
    assert.equal((await sendHttp(`${next.clientUrl}/readyz`)).status, 200);
    assert.equal((await next.stop()).code, 0);
  });

  test('an ordinary user starts it in their directory', async () => {
    const nobody = { uid: await idOf('-u'), gid: await idOf('-g') };
    const home = await makeDataDir(nobody);
    const project = (await mayRead(nobody)) ? projectDir : await copyProject(join(home, 'project'), nobody);
    const node = join(project, 'node_modules/node/bin/node');
    const command = [node, join(project, 'server/src/main.ts'), 'serve'] as const;
    const server = await startServerProcess({ command, cwd: home, env: asTyped, ...nobody });
    assert.equal((await sendHttp(`${server.clientUrl}/readyz`)).status, 200);
    for (const path of ['data', 'data/postgres', 'data/admin-token'])
      assert.equal((await stat(join(home, path))).uid, nobody.uid, path);
    assert.equal((await server.stop()).code, 0);

    // A later start by root serves the same data and does not lock out the user.
    const byRoot = await startServerProcess({ command, cwd: home, env: asTyped });
    assert.equal((await sendHttp(`${byRoot.clientUrl}/readyz`)).status, 200);
    assert.equal((await byRoot.stop()).code, 0);
    const again = await startServerProcess({ command, cwd: home, env: asTyped, ...nobody });
    assert.equal((await again.stop()).code, 0);
  });
});

async function idOf(option: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [option, 'nobody'])).stdout);
}

async function mayRead(ids: { uid: number; gid: number }): Promise<boolean> {
  // A whole path: a working directory is entered before the user changes.
  return run('test', ['-r', join(projectDir, 'node_modules/fastify/package.json')], ids).then(
    () => true,
    () => false,
  );
}

/** Copies the project as a clone after `npm ci`. Without an owner, its packages are hard links on one file system. */
async function copyProject(target: string, owner?: { uid: number; gid: number }): Promise<string> {
  await run('mkdir', [target]);
  for (const name of ['package.json', 'server'])
    await run('cp', ['-a', join(projectDir, name), join(target, name)]);
  const modules = join(projectDir, 'node_modules');
  const copied = join(target, 'node_modules');
  if (owner === undefined)
    await run('cp', ['-al', modules, copied]).catch(() => run('cp', ['-aT', modules, copied]));
  else {
    await run('cp', ['-a', modules, copied]);
    await run('chown', ['-R', `${owner.uid}:${owner.gid}`, target]);
  }
  return target;
}
