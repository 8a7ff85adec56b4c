import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../children.ts';
import type { LoadRequest, LoadSpec } from '../load/load-spec.ts';
import { startMeter, takeNumbers } from '../load/measure-load.ts';
import type { BenchPostgres } from '../postgres.ts';
import type { Measured } from '../rounds.ts';

const program = fileURLToPath(new URL('bare-writes.ts', import.meta.url));

/** The order for one run of the yardstick. */
export interface BareSpec {
  readonly requests: readonly LoadRequest[];
  /** Requests at once. */
  readonly callers: number;
  readonly seconds: number;
  /** The first number for `{{n}}`. */
  readonly firstNumber: number;
}

export interface BareAnswer {
  /** Committed writes. */
  readonly done: number;
  readonly seconds: number;
}

export interface BareWrites {
  /** Writes what the requests of a load ask for. Returns writes per second, and what one costs. */
  rate(load: Pick<LoadSpec, 'requests' | 'connections' | 'seconds'>): Promise<Measured>;
}

/** Starts the yardstick of writes on the database. It ends with this process. */
export async function startBareWrites(postgres: BenchPostgres): Promise<BareWrites> {
  const { pid, line: url } = await startProgram({
    args: [program],
    env: { PATH: process.env['PATH'], DATABASE_URL: postgres.url },
    showErrors: true,
  });
  return {
    rate: async ({ requests, connections: callers, seconds }) => {
      const spec: BareSpec = { requests, callers, seconds, firstNumber: takeNumbers() };
      const stop = await startMeter({ url, pid, postmasterPid: postgres.pid });
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(spec) });
      if (!response.ok) throw new Error('the bare writes failed');
      const answer = (await response.json()) as BareAnswer;
      const cpu = { generator: null, ...(await stop(answer.done)) };
      return { value: answer.done / answer.seconds, cpu };
    },
  };
}
