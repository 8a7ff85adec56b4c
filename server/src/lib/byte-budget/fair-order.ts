import type { Holder, Waiting } from './holder.ts';

/** Work below this pace, in bytes per second, may be displaced. */
const slowPace = 64 * 1024;

/** Groups waiting requests by owner, each group in order of arrival. */
export function linesOf(waiting: readonly Waiting[]): Map<string, Waiting[]> {
  return Map.groupBy(waiting, ({ holder }) => holder.owner);
}

/** Returns the line of the owner with the fewest bytes; of equal ones, the first to arrive. */
export function leastHolding(
  lines: ReadonlyMap<string, Waiting[]>,
  heldBy: (owner: string) => number,
): [string, Waiting[]] {
  return [...lines].reduce((least, line) => (heldBy(line[0]) < heldBy(least[0]) ? line : least));
}

/**
 * Returns the newest request of the owner with the most waiting ones; of equal owners, the last to start
 * waiting.
 */
export function newestOfLongest(waiting: readonly Waiting[]): Waiting | undefined {
  const lines = [...linesOf(waiting).values()];
  const longest = lines.reduce((most, line) => (line.length >= most.length ? line : most), []);
  return longest.at(-1);
}

/**
 * Returns slow holders whose bytes add up to `bytes`, those of the heaviest owners first and of each owner the slowest
 * first; none if they are not enough. Only an owner that holds more than `share` bytes loses some [D84].
 */
export function slowHolders(
  holders: Iterable<Holder>,
  heldBy: (owner: string) => number,
  share: number,
  bytes: number,
): Holder[] {
  const candidates = [...holders]
    .map((holder) => ({ holder, pace: holder.work?.pace() ?? Number.POSITIVE_INFINITY }))
    .filter(({ holder, pace }) => pace < slowPace && !holder.isDisplaced && heldBy(holder.owner) > share)
    .sort((a, b) => heldBy(b.holder.owner) - heldBy(a.holder.owner) || a.pace - b.pace)
    .map(({ holder }) => holder);
  const chosen: Holder[] = [];
  let freed = 0;
  for (const holder of candidates) {
    if (freed >= bytes) break;
    chosen.push(holder);
    freed += holder.bytes;
  }
  return freed >= bytes ? chosen : [];
}
