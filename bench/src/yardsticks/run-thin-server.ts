import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { firstLine } from '../service.ts';

const program = fileURLToPath(new URL('thin-server.ts', import.meta.url));

export interface ThinServer {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

export async function startThinServer(databaseUrl: string): Promise<ThinServer> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise((resolve) => child.once('close', resolve));
  return {
    pid: child.pid as number,
    url: await firstLine(child),
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
