import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const serverProgram = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));

/** The options that `npm start` gives to Node. */
const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
const nodeOptions = (scripts.start as string).split(' ').filter((word) => word.startsWith('--'));

const adminToken = 'bench-admin-token';

/** A running Brandport, with limits off. */
export interface Service {
  readonly pid: number;
  readonly clientUrl: string;
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

/** Starts the server as an operator does, on the given database. Log lines are written and discarded. */
export async function startService(options: {
  databaseUrl: string;
  dataDir: string;
  env?: Readonly<Record<string, string>>;
}): Promise<Service> {
  const off = [
    'CATALOG_READS',
    'CATALOG_WRITES',
    'CATALOG_BRAND',
    'ANALYTICS_KEY',
    'ANALYTICS_BRAND',
    'ADDRESS',
  ];
  const child = spawn(process.execPath, [...nodeOptions, serverProgram], {
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'],
      PORT: '0',
      BRANDPORT_INTERNAL_PORT: '0',
      BRANDPORT_ADMIN_TOKEN: adminToken,
      BRANDPORT_DEMO: '0',
      BRANDPORT_DATA_DIR: options.dataDir,
      DATABASE_URL: options.databaseUrl,
      ...Object.fromEntries(off.map((name) => [`BRANDPORT_LIMIT_${name}`, '0'])),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', process.env['BENCH_SERVER_LOG'] === undefined ? 'ignore' : 'inherit'],
  });
  const { client: clientUrl, internal } = JSON.parse(await firstLine(child)) as Record<string, string>;
  const exit = new Promise((resolve) => child.once('close', resolve));
  const pid = child.pid as number;
  let readings: Vitals[] = [];
  return {
    pid,
    clientUrl: clientUrl as string,
    internalUrl: internal as string,
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
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Returns the first line of standard output. @throws Error when the process exits without one */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const { stdout } = child;
    if (stdout === null) throw new TypeError('the process has no standard output');
    const lines = createInterface({ input: stdout });
    lines.once('line', (line) => {
      resolve(line);
      // Discards the following lines, so that the process never waits for a reader.
      lines.on('line', () => {});
    });
    child.once('exit', (code) => reject(new Error(`a process ended with ${code} instead of starting`)));
  });
}
