import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { LoadResult, LoadSpec } from './load-spec.ts';

/** A server under load, and the processes whose processor time its requests cost. */
export interface Endpoint {
  readonly url: string;
  readonly pid: number;
  /** The postmaster of its database. */
  readonly postmasterPid: number;
}

/** Processor time per request or row, microseconds. */
export interface Cpu {
  /** The load generator; for statements through the driver, the driver. Null: the process under test loads itself. */
  readonly generator: number | null;
  /** The Node process under test; null where there is none. */
  readonly server: number | null;
  /** All processes of PostgreSQL. */
  readonly postgres: number;
}

/** Runs a load on an endpoint and measures what it costs. @throws Error on an unexpected status or a missing response */
export async function measureLoad(
  on: Endpoint,
  load: Omit<LoadSpec, 'url'>,
): Promise<LoadResult & { readonly cpu: Cpu }> {
  const stop = await startMeter(on);
  const result = await runLoad({ url: on.url, ...load });
  return { ...result, cpu: { generator: result.generatorCpu, ...(await stop(result.answers)) } };
}

/** Measures the processor time of a server and its database from now on. Returns what reads it, per item. */
export async function startMeter(
  on: Endpoint,
): Promise<(items: number) => Promise<Pick<Cpu, 'postgres'> & { readonly server: number }>> {
  const [before, postgres] = [await cpuTimeOf(on.pid), await startPostgresMeter(on.postmasterPid)];
  return async (items) => {
    const server = (await cpuTimeOf(on.pid)) - before;
    return {
      server: (server * 1000) / items,
      postgres: (await postgres.milliseconds()) * (1000 / items),
    };
  };
}

/** Measures the processor time of all processes of PostgreSQL from now on. */
export async function startPostgresMeter(
  postmasterPid: number,
): Promise<{ milliseconds(): Promise<number> }> {
  const before = await cpuTimeOfChildren(postmasterPid);
  return {
    async milliseconds() {
      let sum = 0;
      for (const [pid, time] of await cpuTimeOfChildren(postmasterPid)) sum += time - (before.get(pid) ?? 0);
      return sum;
    },
  };
}

/** Measures what `work` costs per item. `work` runs in this process, which is the generator, and returns items per second. */
export async function measureWork(
  on: Pick<Endpoint, 'pid' | 'postmasterPid'> | Pick<Endpoint, 'postmasterPid'>,
  items: number,
  work: () => Promise<number>,
): Promise<{ readonly value: number; readonly cpu: Cpu }> {
  const pid = 'pid' in on ? on.pid : null;
  const before = pid === null ? 0 : await cpuTimeOf(pid);
  const postgres = await startPostgresMeter(on.postmasterPid);
  const own = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(own);
  return {
    value,
    cpu: {
      generator: (user + system) / items,
      server: pid === null ? null : (((await cpuTimeOf(pid)) - before) * 1000) / items,
      postgres: ((await postgres.milliseconds()) * 1000) / items,
    },
  };
}

const program = fileURLToPath(new URL('load-process.ts', import.meta.url));
let nextNumber = 0;

/** Returns the first of a million numbers for `{{n}}`. No other load of the run has them: a repeated key would be a replay. */
export function takeNumbers(): number {
  const first = nextNumber;
  nextNumber += 1_000_000;
  return first;
}

/**
 * Runs a load in its own process and waits until it finished. @throws Error on an unexpected status or a missing
 * response
 */
export async function runLoad(spec: LoadSpec): Promise<LoadResult> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  // Standard input stays open: its end tells the process that this one is gone.
  child.stdin.write(`${JSON.stringify({ firstNumber: takeNumbers(), ...spec })}\n`);
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  if ((await exit) !== 0) throw new Error(`a load on ${spec.url} failed`);
  return JSON.parse(output) as LoadResult;
}

/** Returns the processor time of a process (user and system) in milliseconds; 0 after it exited. Linux only. */
async function cpuTimeOf(pid: number): Promise<number> {
  const [, fields] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
  const values = fields?.split(' ') ?? [];
  // In ticks of 10 ms; fields 14 and 15 of proc_pid_stat(5).
  return 10 * (Number(values[11] ?? 0) + Number(values[12] ?? 0));
}

/**
 * Returns the processor time in milliseconds of each child of a process that has one thread, such as the backends and
 * background processes of a postmaster. It reads nanoseconds: the ticks of many backends would add up to a large error.
 */
async function cpuTimeOfChildren(parent: number): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [, fields] = (await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')).split(') ');
    if (Number(fields?.split(' ')[1]) !== parent) continue;
    const nanoseconds = (await readFile(`/proc/${name}/schedstat`, 'utf8').catch(() => '0')).split(' ')[0];
    times.set(Number(name), Number(nanoseconds) / 1e6);
  }
  return times;
}
