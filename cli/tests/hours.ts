import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CliBrand, type CliOutcome, type CliService, newHome, startCliService } from './cli-service.ts';

const bin = fileURLToPath(new URL('../bin/brandport.js', import.meta.url));
const virtualTime = new URL('virtual-time.ts', import.meta.url).href;

/** The real apps with the default limits of the catalog, whose clock moves as fast as a command waits for it. */
export interface VirtualService extends CliService {
  run(brand: CliBrand, args: readonly string[], onStderr?: (text: string) => void): Promise<CliOutcome>;
  /** Stops the listener of clients. */
  stop(): Promise<void>;
}

export async function startVirtualService(): Promise<VirtualService> {
  const systemNow = Date.now;
  let aheadMs = 0;
  // Rate limits and the clock of the apps read it.
  Date.now = () => systemNow() + aheadMs;
  const clock = createServer((request, response) => {
    aheadMs += Number(new URL(request.url ?? '', 'http://x').searchParams.get('ms'));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(clock, 'listening');
  after(() => {
    Date.now = systemNow;
    clock.close();
  });
  const service = await startCliService({
    runsJobs: true,
    limits: { catalog_key_reads: 300, catalog_key_writes: 60, catalog_brand: 600 },
    additions: {
      extend: (app) =>
        app.addHook('onRequest', async (_, reply) => {
          reply.header('date', new Date(Date.now()).toUTCString());
        }),
    },
  });
  const url = `http://127.0.0.1:${(clock.address() as AddressInfo).port}`;
  return {
    ...service,
    run: (brand, args, onStderr) => run({ ...brand.env, BRANDPORT_TEST_CLOCK: url }, args, onStderr),
    stop: async () => {
      service.apps.clientApp.server.closeAllConnections();
      await service.apps.clientApp.close();
    },
  };
}

async function run(
  more: Readonly<Record<string, string>>,
  args: readonly string[],
  onStderr: (text: string) => void = () => {},
): Promise<CliOutcome> {
  const env = { PATH: process.env['PATH'], HOME: newHome(), ...more };
  const child = spawn(process.execPath, ['--import', virtualTime, bin, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      if (name === 'stderr') onStderr(text.stderr);
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...text };
}

/** The lines of a progress: what is done, and the minutes that are left; null for less than one. */
export function progressLines(stderr: string, label: string): [done: number, minutesLeft: number | null][] {
  const lines = stderr.split('\n').filter((line) => line.startsWith(`${label}: `));
  return lines.map((line) => {
    const [, done = '', amount, unit] =
      /: ([\d,]+) of [\d,]*\d(?:, about ([\d.]+) (min|h) left)?/.exec(line) ?? [];
    const minutes = amount === undefined ? null : Number(amount) * (unit === 'h' ? 60 : 1);
    return [Number(done.replaceAll(',', '')), minutes];
  });
}
