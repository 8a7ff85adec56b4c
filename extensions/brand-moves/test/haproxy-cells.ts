import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../server/test/support/free-port.ts';
import { runProxy } from '../../../server/test/support/run-proxy.ts';
import { projectDir } from '../../../server/test/support/server-process.ts';

export interface CellsProxy {
  readonly url: string;
  /** Adds lines of `brandport brand keys --cell` to the map of the running proxy. */
  addMovedKeys(lines: string): Promise<void>;
}

/**
 * Starts HAProxy with `deploy/haproxy/cells.cfg` in front of one client listener for each cell, on 127.0.0.1. Only addresses and
 * paths are replaced. It stops with the test file.
 * @param ports the ports of the listeners of the cells 00 and 01
 */
export async function startCellsProxy(
  program: string,
  ports: readonly [number, number],
): Promise<CellsProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'brandport-cells-'));
  const port = await findFreePort();
  const kit = join(projectDir, 'deploy/haproxy');
  for (const map of ['cells.map', 'moved-keys.map']) await copyFile(join(kit, map), join(directory, map));
  const [first, second] = ports.map((to) => `  server api1 127.0.0.1:${to}\n`) as [string, string];
  const text = (await readFile(join(kit, 'cells.cfg'), 'utf8'))
    .replace('bind 0.0.0.0:8000', `bind 127.0.0.1:${port}`)
    .replaceAll('/etc/haproxy/', `${directory}/`)
    .replaceAll('/run/haproxy/', `${directory}/`)
    .replace(/(?:^ {2}server api\d 10\.0\.0\..*\n)+/m, first)
    .replace(/(?:^ {2}server api\d 10\.0\.1\..*\n)+/m, second);
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, text);
  const run = ['-db', '-f', file];
  await runProxy({ program, check: ['-c', '-f', file], run, directory, port, endWith: 'SIGKILL' });
  const socket = join(directory, 'admin.sock');
  return {
    url: `http://127.0.0.1:${port}`,
    addMovedKeys: async (lines) => {
      for (const line of lines.trim().split('\n')) {
        const answer = (await ask(socket, `add map ${join(directory, 'moved-keys.map')} ${line}`)).trim();
        if (answer !== '') throw new Error(`HAProxy: ${answer}`);
      }
    },
  };
}

/** Sends a command to the running HAProxy and returns its answer; empty while there is no socket. */
function ask(socket: string, command: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const connection = connect(socket, () => void connection.write(`${command}\n`));
    connection.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    connection.once('close', () => resolve(answer));
    connection.once('error', () => resolve(''));
  });
}
