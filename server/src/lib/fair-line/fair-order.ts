/** Work below this pace, in bytes per second, may be displaced. */
const slowPace = 64 * 1024;

/** The waiting holders of each owner in order of arrival, the owner whose turn is next first. None is empty. */
export type Lines = ReadonlyMap<Owner, ReadonlySet<Waiting>>;

/** Returns the first of the owner that holds least, of equal ones of the first, without the `refused` owners. */
export function nextWaiting(
  lines: Lines,
  heldBy: (owner: Owner) => number,
  refused: ReadonlySet<Owner>,
): Waiting | undefined {
  let next: Waiting | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [owner, [first]] of lines) {
    if (refused.has(owner) || heldBy(owner) >= least) continue;
    next = first;
    least = heldBy(owner);
  }
  return next;
}

/** Returns the newest of the owner with the most waiting ones; of equal owners, of the last. */
export function newestOfLongest(lines: Lines): Waiting | undefined {
  let longest: ReadonlySet<Waiting> = new Set();
  for (const line of lines.values()) if (line.size >= longest.size) longest = line;
  return [...longest].at(-1);
}

/**
 * Returns slow holders whose units add up to `size`, those of the heaviest owners first and of each owner the slowest
 * first; none if they are not enough. Only an owner that holds more than `share` loses some [D84].
 */
export function slowHolders(
  holders: readonly Holder[],
  heldBy: (owner: Owner) => number,
  share: number,
  size: number,
): Holder[] {
  const candidates = holders
    .map((holder) => ({ holder, pace: holder.work?.pace() ?? Number.POSITIVE_INFINITY }))
    .filter(({ holder, pace }) => pace < slowPace && !holder.isDisplaced && heldBy(holder.owner) > share)
    .sort((a, b) => heldBy(b.holder.owner) - heldBy(a.holder.owner) || a.pace - b.pace)
    .map(({ holder }) => holder);
  const chosen: Holder[] = [];
  let freed = 0;
  for (const holder of candidates) {
    if (freed >= size) break;
    chosen.push(holder);
    freed += holder.size;
  }
  return freed >= size ? chosen : [];
}

/** The party that a holder counts towards, such as a brand; null for work without one. */
export type Owner = number | string | null;

/** The work of a holder, as far as the line may abort it in favour of others. */
export interface Displaceable {
  /** Recent progress in bytes per second; Infinity while it does not depend on a client. */
  pace(): number;
  /** Makes the work release its units soon. Called once. */
  displace(): void;
}

export interface Holder {
  readonly owner: Owner;
  readonly work: Displaceable | null;
  size: number;
  /** It was asked to release its units and has not done so yet. */
  isDisplaced: boolean;
}

export interface Waiting {
  readonly holder: Holder;
  grant(): void;
  giveUp(reason: unknown): void;
}
