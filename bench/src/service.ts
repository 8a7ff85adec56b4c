import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startProgram, stopProgram } from './children.ts';
import type { Endpoint } from './load/measure-load.ts';
import type { BenchPostgres } from './postgres.ts';

const projectDir = fileURLToPath(new URL('../..', import.meta.url));

const programPath = 'server/src/main.ts';
export const serverProgram = join(projectDir, programPath);

const adminToken = 'bench-admin-token-of-32-characters';

/** A running Brandport, with limits off. */
export interface Service {
  readonly clientUrl: string;
  /** The client listener, for loads. */
  readonly endpoint: Endpoint;
  readonly internalUrl: string;
  /** Sends a request to the internal surface and returns its JSON. @throws Error on a status other than 2xx */
  admin(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Returns memory, and the event-loop delay since the last call. */
  readVitals(): Promise<Vitals>;
  /** Resets `vitalsOfPart`. */
  beginPart(): void;
  /**
   * Returns the maximum of the delays since `beginPart`, without the first reading, which belongs to the previous part.
   * Memory is that of the last reading.
   */
  vitalsOfPart(): Vitals;
  stop(): Promise<void>;
}

export interface Vitals {
  /** Resident memory of the Node process, MB. */
  readonly residentMb: number;
  /** Peak resident memory, MB. */
  readonly peakMb: number;
  /** The p99 of the event-loop delay above the sampler's interval of 10 ms, in milliseconds. */
  readonly eventLoopP99: number;
  readonly eventLoopMax: number;
}

export interface ServiceOptions {
  readonly postgres: BenchPostgres;
  readonly dataDir: string;
  /** The checkout whose server runs; default: this one. */
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the server as an operator does, on the given database. Log lines are written and discarded. */
export async function startService({
  postgres,
  dataDir,
  project = projectDir,
  env,
}: ServiceOptions): Promise<Service> {
  const off = [
    'CATALOG_READS',
    'CATALOG_WRITES',
    'CATALOG_BRAND',
    'ANALYTICS_KEY',
    'ANALYTICS_BRAND',
    'ADDRESS',
  ];
  const { options, arenas } = await startOf(project);
  const { pid, line } = await startProgram({
    args: [...options, join(project, programPath), 'serve'],
    env: {
      ...(arenas !== undefined && { MALLOC_ARENA_MAX: arenas }),
      PATH: process.env['PATH'],
      NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'],
      PORT: '0',
      BRANDPORT_INTERNAL_PORT: '0',
      BRANDPORT_ADMIN_TOKEN: adminToken,
      BRANDPORT_DEMO: '0',
      BRANDPORT_DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ...Object.fromEntries(off.map((name) => [`BRANDPORT_LIMIT_${name}`, '0'])),
      ...env,
    },
    showErrors: process.env['BENCH_SERVER_LOG'] !== undefined,
  });
  const { client: clientUrl, internal } = JSON.parse(line) as { client: string; internal: string };
  let readings: Vitals[] = [];
  return {
    clientUrl,
    endpoint: { url: clientUrl, pid, postmasterPid: postgres.pid },
    internalUrl: internal,
    admin: async (method, path, body) => {
      const response = await fetch(`${internal}/internal/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
    readVitals: async () => {
      const metrics = await (await fetch(`${internal}/metrics`)).text();
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const kilobytes = (name: string) =>
        Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN);
      const delay = (name: string) =>
        Math.max(
          0,
          1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(metrics)?.[1]) -
            10,
        );
      const reading: Vitals = {
        residentMb: kilobytes('VmRSS') / 1024,
        peakMb: kilobytes('VmHWM') / 1024,
        eventLoopP99: delay('p99'),
        eventLoopMax: delay('max'),
      };
      readings.push(reading);
      return reading;
    },
    beginPart: () => {
      readings = [];
    },
    vitalsOfPart: () => {
      const own = readings.slice(1);
      const last = own.at(-1);
      if (last === undefined) throw new Error('a part ended without a reading of the server');
      return {
        ...last,
        eventLoopP99: Math.max(...own.map(({ eventLoopP99 }) => eventLoopP99)),
        eventLoopMax: Math.max(...own.map(({ eventLoopMax }) => eventLoopMax)),
      };
    },
    stop: () => stopProgram(pid),
  };
}

/** Returns the options and the number of malloc arenas that `npm start` of the checkout gives to Node. */
async function startOf(project: string): Promise<{ options: string[]; arenas: string | undefined }> {
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const start = scripts.start as string;
  return {
    options: start.split(' ').filter((word) => word.startsWith('--')),
    arenas: /^MALLOC_ARENA_MAX=\$\{MALLOC_ARENA_MAX:-(\d+)\}/.exec(start)?.[1],
  };
}
