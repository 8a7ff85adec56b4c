import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { runProxy } from './run-proxy.ts';
import { projectDir } from './server-process.ts';

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
  const run = ['-db', '-f', file];
  await runProxy({ program, check: ['-c', '-f', file], run, directory, port, endWith: 'SIGKILL' });
  return `http://127.0.0.1:${port}`;
}
