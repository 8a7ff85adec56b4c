import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';
import { projectDir } from './server-process.ts';
import { waitFor } from './wait-for.ts';

const execute = promisify(execFile);

/**
 * Starts HAProxy with `deploy/haproxy/api.cfg` in front of client listeners on 127.0.0.1. Only addresses are replaced.
 * Checks the file first, as `haproxy -c` does. It stops with the test file.
 * @returns the address of the frontend
 */
export async function startHaproxy(program: string, ports: readonly number[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'brandport-haproxy-'));
  const port = await findFreePort();
  const kit = await readFile(join(projectDir, 'deploy/haproxy/api.cfg'), 'utf8');
  const servers = ports.map((to, at) => `  server api${at + 1} 127.0.0.1:${to}\n`).join('');
  const file = join(directory, 'haproxy.cfg');
  await writeFile(
    file,
    kit
      .replace('bind 0.0.0.0:8000', `bind 127.0.0.1:${port}`)
      .replace(/(?:^ {2}server api\d .*\n)+/m, servers),
  );
  await execute(program, ['-c', '-f', file]);
  const child = spawn(program, ['-db', '-f', file], { stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  after(async () => {
    process.off('exit', kill);
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      kill();
      await ended;
    }
    await rm(directory, { recursive: true, force: true });
  });
  await waitFor('HAProxy', () => isOpen(port), 20_000);
  return `http://127.0.0.1:${port}`;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
