import { leastHolding, linesOf, newestOfLongest, slowHolders } from './fair-order.ts';
import type { Displaceable, Holder, Waiting } from './holder.ts';
import { isSafe } from './safe-demands.ts';

export interface ByteBudgetLimits {
  /** Bytes of all owners together. */
  readonly total: number;
  /** Bytes of one owner; the largest demand that can be granted. */
  readonly perOwner: number;
  /** Maximum number of waiting requests. Beyond it, the owner with the most of them loses its newest. */
  readonly maxWaiting: number;
  /**
   * True if an owner that holds bytes may only start holders that leave at least as much free as it then
   * holds, so that other owners can start at once. For demands that are small compared with `total`; default
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

type Refusal = 'owner' | 'total' | 'unsafe';

/**
 * Shares a number of bytes among owners. A holder states first the most that it will need (its demand), takes bytes
 * as it grows, and gives everything back at once.
 *
 * Free of deadlock: bytes are granted only if afterwards all holders could still reach their demands one after the
 * other [D56]. Fair: holders with bytes precede those without, then the owner with the fewest bytes, then the order
 * of arrival. An owner whose share is used up does not block others and cannot fill the queue. Slow work of a heavy
 * owner is displaced for an owner that holds nothing or less.
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

  /** Opens a holder without bytes. `demand` is limited to what one owner may hold. `work`: what may be displaced. */
  open(owner: string, demand: number, work: Displaceable | null = null): Reservation {
    const cut = Math.min(demand, this.#limits.perOwner);
    const holder: Holder = { owner, demand: cut, work, held: 0, isDisplaced: false };
    return {
      grow: (bytes, waitMs, signalOf) => this.#grow(holder, bytes, waitMs, signalOf),
      release: () => this.#release(holder),
    };
  }

  #grow(
    holder: Holder,
    wanted: number,
    waitMs: number,
    signalOf?: () => AbortSignal,
  ): Promise<void> | undefined {
    const bytes = Math.min(wanted, holder.demand - holder.held);
    if (bytes <= 0) return undefined;
    if (this.#waiting.length === 0 && this.#refusal(holder, bytes) === null) {
      this.#take(holder, bytes);
      return undefined;
    }
    const signal = signalOf?.();
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
      const waiting: Waiting = { holder, bytes, grant: () => end(resolve), refuse };
      this.#waiting.push(waiting);
      this.#grantWaiting();
      if (this.#waiting.length > this.#limits.maxWaiting) newestOfLongest(this.#waiting)?.refuse();
    });
  }

  #release(holder: Holder): void {
    if (!this.#holders.delete(holder)) return;
    this.#held -= holder.held;
    const left = this.#ownerHolds(holder.owner) - holder.held;
    if (left === 0) this.#heldBy.delete(holder.owner);
    else this.#heldBy.set(holder.owner, left);
    holder.held = 0;
    this.#grantWaiting();
  }

  #take(holder: Holder, bytes: number): void {
    this.#holders.add(holder);
    holder.held += bytes;
    this.#held += bytes;
    this.#heldBy.set(holder.owner, this.#ownerHolds(holder.owner) + bytes);
  }

  #grantWaiting(): void {
    const granted = new Set<Waiting>();
    const tryGrant = (waiting: Waiting): Refusal | null => {
      const refusal = this.#refusal(waiting.holder, waiting.bytes);
      if (refusal !== null) return refusal;
      this.#take(waiting.holder, waiting.bytes);
      granted.add(waiting);
      return null;
    };
    for (const waiting of this.#waiting.filter(({ holder }) => holder.held > 0)) tryGrant(waiting);
    const lines = linesOf(this.#waiting.filter(({ holder }) => holder.held === 0));
    let isTotalAwaited = false;
    while (lines.size > 0) {
      const [owner, line] = leastHolding(lines, (one) => this.#ownerHolds(one));
      const first = line.shift();
      const isBehind = isTotalAwaited && (first?.bytes ?? 0) > (this.#limits.passingBytes ?? 0);
      const refusal = first === undefined || isBehind ? 'owner' : tryGrant(first);
      if (refusal === 'total') isTotalAwaited = true;
      if (refusal !== null) lines.delete(owner);
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
    for (const holder of this.#holders) if (holder.isDisplaced) coming += holder.held;
    for (const [owner, [first]] of linesOf(this.#waiting)) {
      if (first === undefined || this.#refusal(first.holder, first.bytes) !== 'total') continue;
      const missing = first.bytes - (this.#limits.total - this.#held) - coming;
      if (missing <= 0) continue;
      const held = this.#ownerHolds(owner);
      const share = held === 0 ? 0 : held + first.bytes;
      const others = [...this.#holders].filter((holder) => holder.owner !== owner);
      const displaced = slowHolders(others, (one) => this.#ownerHolds(one), share, missing);
      for (const holder of displaced) {
        holder.isDisplaced = true;
        coming += holder.held;
      }
      for (const { work } of displaced) work?.displace();
    }
  }

  /** Returns the reason against granting `bytes` to the holder now. */
  #refusal(holder: Holder, bytes: number): Refusal | null {
    const held = this.#ownerHolds(holder.owner);
    const ofOwner = this.#limits.perOwner - held;
    const free = this.#limits.total - this.#held;
    if (bytes > ofOwner) return 'owner';
    if (bytes > free) return 'total';
    const isOneMore = holder.held === 0 && held > 0;
    if (this.#limits.leavesRoom === true && isOneMore && held + holder.demand > free - holder.demand)
      return 'owner';
    // Enough for the whole demand: this holder can finish first, and the rest was safe before.
    const need = holder.demand - holder.held;
    if (need <= Math.min(ofOwner, free)) return null;
    return isSafe(this.#holders, this.#limits, holder, bytes) ? null : 'unsafe';
  }

  #ownerHolds(owner: string): number {
    return this.#heldBy.get(owner) ?? 0;
  }
}

/** The bytes of one holder. */
export interface Reservation {
  /**
   * Takes this many more bytes, up to the demand. Returns undefined if they are granted at once. One call at a time.
   * `signalOf` is called only if it has to wait.
   * @throws NoRoomError after `waitMs`, if the signal aborts, or if too many are waiting; the holder keeps its bytes
   */
  grow(bytes: number, waitMs: number, signalOf?: () => AbortSignal): Promise<void> | undefined;
  /** Releases everything; safe to call again. Not while `grow` waits. */
  release(): void;
}
