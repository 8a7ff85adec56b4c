import { limitWait, TurnError, type WaitOptions } from './turn-wait.ts';

/** The party that units count towards: a brand's id, the text of another party, or null for the platform's own work. */
export type Owner = number | string | null;

export interface SemaphoreLimits {
  /** Units of all owners together. */
  readonly total: number;
  /** Units of one owner. */
  readonly perOwner: number;
  /** The most that wait. Beyond it, the owner with the most of them loses its newest. */
  readonly maxWaiting: number;
  /** While nobody else waits, an owner may exceed `perOwner` as long as this many stay free; default: never. */
  readonly lendsAllBut?: number;
}

/** Units that are held. */
export interface Reservation {
  /** Gives back all but this many units. */
  shrink(size: number): void;
  release(): void;
}

interface Waiting {
  readonly owner: Owner;
  readonly size: number;
  grant(): void;
  giveUp(reason: unknown): void;
}

/**
 * The turns for what requests share [D294]: connections, bytes, threads, the event loop. A holder takes all units that it may
 * need at once, so that nobody holds some and waits for more [D56].
 *
 * Waiting owners are served in rotation, none twice in a row while another waits, each in order of arrival. What does not fit yet
 * is passed only by owners that would not hold more: by small bodies, not by the next large one.
 */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #heldBy = new Map<Owner, number>();
  /** The waiting requests of each owner, the owner whose turn is next first. None is empty. */
  readonly #lines = new Map<Owner, Set<Waiting>>();
  #held = 0;
  /** The owner that was served last. */
  #served: Owner | undefined;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    let sum = 0;
    for (const line of this.#lines.values()) sum += line.size;
    return sum;
  }

  /** Returns whether the owner would exceed its share with so many more units. */
  isShareFull(owner: Owner, size: number): boolean {
    const { perOwner } = this.#limits;
    return this.#ownerHolds(owner) + Math.min(size, perOwner) > perOwner;
  }

  /** Takes units for an owner if they are free for it now, at most as many as one owner may hold; otherwise null. */
  tryTake(owner: Owner, size: number): Reservation | null {
    const granted = Math.min(size, this.#limits.perOwner);
    if (this.#lines.has(owner) || !this.#fits(owner, granted) || !this.#mayPass(owner, granted)) return null;
    return this.#hold(owner, granted);
  }

  /** Runs work that holds one unit, once that is free. */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const turn = await this.take(owner, 1, { limitMs: null });
    try {
      return await work();
    } finally {
      turn.release();
    }
  }

  /** Takes units once they are free. @throws TurnError after the limit or if too many wait; the reason of `gone` */
  take(owner: Owner, size: number, options: WaitOptions): Promise<Reservation> {
    const taken = this.tryTake(owner, size);
    if (taken !== null) return Promise.resolve(taken);
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        leave();
        this.#remove(waiting);
        reject(reason);
        // Others were held to their share while this owner waited, or waited behind it.
        this.#grantWaiting();
      };
      const leave = limitWait(options, giveUp);
      const grant = () => {
        leave();
        resolve(this.#hold(owner, waiting.size));
      };
      const waiting: Waiting = { owner, size: Math.min(size, this.#limits.perOwner), grant, giveUp };
      this.#lines.set(owner, (this.#lines.get(owner) ?? new Set()).add(waiting));
      if (this.waiting > this.#limits.maxWaiting)
        this.#newestOfLongest()?.giveUp(new TurnError('too many requests are already waiting'));
    });
  }

  #hold(owner: Owner, size: number): Reservation {
    this.#served = owner;
    let left = size;
    const shrink = (to: number) => {
      if (to >= left) return;
      this.#add(owner, to - left);
      left = to;
      this.#grantWaiting();
    };
    this.#add(owner, size);
    return { shrink, release: () => shrink(0) };
  }

  #add(owner: Owner, size: number): void {
    this.#held += size;
    const held = this.#ownerHolds(owner) + size;
    if (held === 0) this.#heldBy.delete(owner);
    else this.#heldBy.set(owner, held);
  }

  #grantWaiting(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const line = this.#lines.get(next.owner) as Set<Waiting>;
      this.#remove(next);
      if (line.size > 0) {
        // Its turn comes again after all others.
        this.#lines.delete(next.owner);
        this.#lines.set(next.owner, line);
      }
      next.grant();
    }
  }

  /**
   * The request that may be granted now, of the first owner in the rotation whose next one fits. The owner that was served last
   * may stand in front of those that came since, but goes after them.
   */
  #next(): Waiting | null {
    let again: Waiting | null = null;
    for (const [first] of this.#lines.values()) {
      if (first === undefined || !this.#fits(first.owner, first.size)) continue;
      if (!this.#mayPass(first.owner, first.size)) continue;
      if (first.owner !== this.#served) return first;
      again = first;
    }
    return again;
  }

  /** Returns whether no other owner, which would hold less, waits for units that are not free. */
  #mayPass(owner: Owner, size: number): boolean {
    const { total, perOwner } = this.#limits;
    const would = this.#ownerHolds(owner) + size;
    for (const [first] of this.#lines.values()) {
      if (first === undefined || first.owner === owner) continue;
      const wouldFirst = this.#ownerHolds(first.owner) + first.size;
      if (wouldFirst < would && wouldFirst <= perOwner && this.#held + first.size > total) return false;
    }
    return true;
  }

  #remove(waiting: Waiting): void {
    const line = this.#lines.get(waiting.owner);
    line?.delete(waiting);
    if (line?.size === 0) this.#lines.delete(waiting.owner);
  }

  #fits(owner: Owner, size: number): boolean {
    const { total, perOwner, lendsAllBut } = this.#limits;
    const left = total - this.#held - size;
    if (left < 0) return false;
    if (this.#ownerHolds(owner) + size <= perOwner) return true;
    const isAlone = this.#lines.size === (this.#lines.has(owner) ? 1 : 0);
    return lendsAllBut !== undefined && isAlone && left >= lendsAllBut;
  }

  /** The newest request of the owner with the most waiting ones; of equal owners, of the last. */
  #newestOfLongest(): Waiting | undefined {
    let longest: ReadonlySet<Waiting> = new Set();
    for (const line of this.#lines.values()) if (line.size >= longest.size) longest = line;
    return [...longest].at(-1);
  }

  #ownerHolds(owner: Owner): number {
    return this.#heldBy.get(owner) ?? 0;
  }
}
