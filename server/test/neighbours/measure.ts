import { Worker } from 'node:worker_threads';
import { callQuietly, type Kinds } from './quiet.ts';
import type { World } from './world.ts';

export interface Measured {
  readonly kinds: Kinds;
  /** The answers to the noise, counted by status. */
  readonly answers: Readonly<Record<string, number>>;
}

export interface Pace {
  /** Between two calls of one kind. */
  readonly everyMs: number;
  readonly forMs: number;
}

/** Time for the noise to reach its height. */
const leadMs = 500;
/** A call that takes less shows that what the noise has left is done. */
const calmMs = 30;
const calmLimitMs = 60_000;

/** Measures the quiet brand's calls during a noise; null: alone. */
export async function measure(world: World, name: string | null, pace: Pace): Promise<Measured> {
  if (name === null) return { kinds: await callQuietly(world.quiet, pace), answers: {} };
  const noisy = await world.noisy();
  const thread = new Worker(new URL('noise-thread.ts', import.meta.url), { workerData: { name, noisy } });
  const ended = new Promise<Record<string, number>>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  ended.catch(() => {});
  await pause(leadMs);
  const kinds = await callQuietly(world.quiet, pace);
  thread.postMessage('stop');
  const answers = await ended;
  await calm(world, pace);
  return { kinds, answers };
}

/** Waits until calls of all kinds take no longer than alone: the next noise would be blamed for what this one has left. */
async function calm(world: World, { everyMs }: Pace): Promise<void> {
  const end = performance.now() + calmLimitMs;
  do {
    const kinds = await callQuietly(world.quiet, { everyMs, forMs: 2 * everyMs });
    const all = Object.values(kinds).flatMap(({ times }) => times);
    if (quantile(all, 0.9) < calmMs) return;
  } while (performance.now() < end);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The p99 of each kind in milliseconds; of fewer than 100 calls the slowest. */
function p99s(kinds: Kinds): Map<string, number> {
  return new Map(Object.entries(kinds).map(([name, { times }]) => [name, quantile(times, 0.99)]));
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
}

/**
 * Returns the calls that took too long, by kind. None if one of a hundred did, each of another kind [platform-76]: a pause of the
 * machine does that, and a resource that is held does not.
 */
export function listSlow(kinds: Kinds, limitMs: number): [kind: string, ms: number][] {
  const calls = Object.entries(kinds).flatMap(([kind, { times }]) =>
    times.map((ms): [string, number] => [kind, ms]),
  );
  const slow = calls.filter(([, ms]) => !(ms < limitMs));
  const isRare =
    slow.length <= calls.length / 100 && new Set(slow.map(([kind]) => kind)).size === slow.length;
  return isRare ? [] : slow;
}

export function listRefused(kinds: Kinds): string[] {
  return Object.entries(kinds).flatMap(([name, { refused }]) =>
    refused.map((answer) => `${name}: ${answer}`),
  );
}

/** Describes what the noise did to the quiet brand in one line. */
export function describeMeasured(name: string, alone: Kinds, { kinds, answers }: Measured): string {
  const quietly = p99s(alone);
  const slowest = [...p99s(kinds)].sort(([, a], [, b]) => b - a);
  const [worst, ms] = slowest[0] ?? ['', Number.NaN];
  const felt = slowest.filter(([kind, p99]) => p99 > allowedMs(quietly.get(kind) ?? 0)).map(([kind]) => kind);
  const all = Object.values(kinds).flatMap(({ times }) => times);
  const ratio = ms / (quietly.get(worst) ?? Number.NaN);
  const refused = listRefused(kinds);
  return [
    name.padEnd(22),
    `p50 ${quantile(all, 0.5).toFixed(1).padStart(7)} ms`,
    `worst p99 ${ms.toFixed(0).padStart(5)} ms (${worst}, ${ratio.toFixed(1)} times)`.padEnd(48),
    `felt by ${String(felt.length).padStart(2)}`,
    `refused ${refused.length}`,
    `noise ${JSON.stringify(answers)}`,
    refused.length > 0 ? `first: ${refused[0]}` : '',
  ].join('  ');
}

/** The p99 of a kind that counts as not felt: below 250 ms, and below 5 times its p99 alone. */
function allowedMs(aloneMs: number): number {
  return Math.min(250, Math.max(50, 5 * aloneMs));
}
