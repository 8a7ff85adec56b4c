import process from 'node:process';
import { cpuTimeOf, cpuTimeOfChildren } from './cpu-time.ts';
import type { LoadResult, LoadSpec } from './load-spec.ts';
import { runLoad } from './run-load.ts';

/** A server under load, and the processes whose processor time its requests cost. */
export interface Endpoint {
  readonly url: string;
  readonly pid: number;
  /** The postmaster of its database. */
  readonly postmasterPid: number;
}

/** Processor time per request or row, microseconds. */
export interface Cpu {
  /** The load generator; for statements through the driver, the driver. */
  readonly generator: number;
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
  const [before, postgres] = [await cpuTimeOf(on.pid), await startPostgresMeter(on.postmasterPid)];
  const result = await runLoad({ url: on.url, ...load });
  const server = (await cpuTimeOf(on.pid)) - before;
  return {
    ...result,
    cpu: {
      generator: result.generatorCpu,
      server: (server * 1000) / result.answers,
      postgres: (await postgres.milliseconds()) * (1000 / result.answers),
    },
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
