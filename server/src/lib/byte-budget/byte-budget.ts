import { leastHolding, linesOf, newestOfLongest, slowHolders } from './fair-order.ts';
import type { Displaceable, Holder, Waiting } from './holder.ts';

export interface ByteBudgetLimits {
  /** Bytes of all owners together. */
  readonly total: number;
  /** Bytes of one owner. */
  readonly perOwner: number;
  /** Maximum number of waiting requests. Beyond it, the owner with the most of them loses its newest. */
  readonly maxWaiting: number;
  /**
   * True if an owner that holds bytes may only take more that leave at least as much free as it then
   * holds, so that other owners can start at once. For bytes that are few compared with `total`; default
   * false.
   */
  readonly leavesRoom?: boolean;
  /** Requests up to this size do not wait behind larger ones of other owners; default 0. */
  readonly passingBytes?: number;
}

/** No room became free in time, or too many requests are waiting. */
export class NoRoomError extends Error {
  constructor() {
    super('byte budget exhausted');
    this.name = 'NoRoomError';
  }
}

/** Waiting requests may get room as soon as others have become slow. */
const displaceEveryMs = 250;

/** Bytes that a holder has taken. */
export interface Reservation {
  /** Gives back all but this many bytes. */
  shrink(bytes: number): void;
  /** Gives back everything; safe to call again. */
  release(): void;
}

export interface TakeOptions {
  readonly waitMs: number;
  /** Returns the signal that ends a wait. Called only if the holder has to wait. */
  readonly signalOf?: () => AbortSignal;
  /** The work that may be displaced. */
  readonly work?: Displaceable;
}

/**
 * A weighted semaphore that owners share. A holder takes all bytes that it may need at once, so that nobody holds some and waits
 * for more [D56].
 *
 * Fair: the owner with the fewest bytes is next, then the order of arrival. An owner whose share is used up does not block
 * others and cannot fill the queue. Slow work of a heavy owner is displaced for an owner that holds nothing or less.
 */
export class ByteBudget {
  readonly #limits: ByteBudgetLimits;
  readonly #holders = new Set<Holder>();
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  #waiting: Waiting[] = [];
  #displacing: NodeJS.Timeout | null = null;

  constructor(limits: ByteBudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that are held. */
  get held(): number {
    return this.#held;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Takes bytes for an owner, at most as many as one owner may hold.
   * @throws NoRoomError after `waitMs`, if the signal aborts, or if too many are waiting
   */
  async take(owner: string, bytes: number, { waitMs, signalOf, work }: TakeOptions): Promise<Reservation> {
    const most = Math.min(bytes, this.#limits.perOwner);
    const holder: Holder = { owner, work: work ?? null, bytes: most, isDisplaced: false };
    if (this.#waiting.length === 0 && this.#refusal(holder) === null) this.#hold(holder);
    else await this.#wait(holder, waitMs, signalOf?.());
    return {
      shrink: (left) => this.#shrink(holder, left),
      release: () => this.#shrink(holder, 0),
    };
  }

  #wait(holder: Holder, waitMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', refuse);
        settle();
      };
      const refuse = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        end(() => reject(new NoRoomError()));
        this.#grantWaiting();
      };
      const timer = setTimeout(refuse, waitMs).unref();
      signal?.addEventListener('abort', refuse);
      const waiting: Waiting = { holder, grant: () => end(resolve), refuse };
      this.#waiting.push(waiting);
      this.#grantWaiting();
      if (this.#waiting.length > this.#limits.maxWaiting) newestOfLongest(this.#waiting)?.refuse();
    });
  }

  #hold(holder: Holder): void {
    this.#holders.add(holder);
    this.#add(holder.owner, holder.bytes);
  }

  #shrink(holder: Holder, bytes: number): void {
    if (bytes === 0) this.#holders.delete(holder);
    const freed = holder.bytes - bytes;
    if (freed <= 0) return;
    holder.bytes = bytes;
    this.#add(holder.owner, -freed);
    this.#grantWaiting();
  }

  #add(owner: string, bytes: number): void {
    this.#held += bytes;
    const held = this.#ownerHolds(owner) + bytes;
    if (held === 0) this.#heldBy.delete(owner);
    else this.#heldBy.set(owner, held);
  }

  #grantWaiting(): void {
    const granted = new Set<Waiting>();
    const lines = linesOf(this.#waiting);
    let isTotalAwaited = false;
    while (lines.size > 0) {
      const [owner, line] = leastHolding(lines, (one) => this.#ownerHolds(one));
      const first = line.shift();
      const refusal = first === undefined ? 'owner' : this.#refusal(first.holder, isTotalAwaited);
      if (refusal === 'total') isTotalAwaited = true;
      if (refusal !== null) lines.delete(owner);
      else if (first !== undefined) {
        this.#hold(first.holder);
        granted.add(first);
      }
    }
    if (granted.size > 0) {
      this.#waiting = this.#waiting.filter((waiting) => !granted.has(waiting));
      for (const { grant } of granted) grant();
    }
    this.#displace();
  }

  /** Displaces slow work for the first waiting request of each owner, repeatedly while requests wait. */
  #displace(): void {
    if (this.#displacing !== null) clearTimeout(this.#displacing);
    this.#displacing = null;
    if (this.#waiting.length === 0) return;
    this.#displacing = setTimeout(() => this.#displace(), displaceEveryMs).unref();
    let coming = 0;
    for (const holder of this.#holders) if (holder.isDisplaced) coming += holder.bytes;
    for (const [owner, [first]] of linesOf(this.#waiting)) {
      if (first === undefined || this.#refusal(first.holder) !== 'total') continue;
      const { bytes } = first.holder;
      const missing = bytes - (this.#limits.total - this.#held) - coming;
      if (missing <= 0) continue;
      const held = this.#ownerHolds(owner);
      const share = held === 0 ? 0 : held + bytes;
      const others = [...this.#holders].filter((holder) => holder.owner !== owner);
      const displaced = slowHolders(others, (one) => this.#ownerHolds(one), share, missing);
      for (const holder of displaced) {
        holder.isDisplaced = true;
        coming += holder.bytes;
      }
      for (const { work } of displaced) work?.displace();
    }
  }

  /** Returns the reason against granting a holder its bytes now. `isTotalAwaited`: another owner waits for more of them. */
  #refusal({ owner, bytes }: Holder, isTotalAwaited = false): 'owner' | 'total' | null {
    const { total, perOwner, leavesRoom = false, passingBytes = 0 } = this.#limits;
    const held = this.#ownerHolds(owner);
    const left = total - this.#held - bytes;
    if (held + bytes > perOwner) return 'owner';
    if (left < 0 || (isTotalAwaited && bytes > passingBytes)) return 'total';
    return leavesRoom && held > 0 && held + bytes > left ? 'owner' : null;
  }

  #ownerHolds(owner: string): number {
    return this.#heldBy.get(owner) ?? 0;
  }
}
