import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../children.ts';
import type { Endpoint } from '../load/measure-load.ts';
import type { BenchPostgres } from '../postgres.ts';

const program = fileURLToPath(new URL('thin-server.ts', import.meta.url));

export type ThinServer = Endpoint;

export async function startThinServer(postgres: BenchPostgres): Promise<ThinServer> {
  const { pid, line } = await startProgram({
    args: [program],
    env: { PATH: process.env['PATH'], DATABASE_URL: postgres.url },
    showErrors: true,
  });
  return { url: line, pid, postmasterPid: postgres.pid };
}
