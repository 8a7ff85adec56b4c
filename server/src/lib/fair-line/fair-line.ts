import {
  type Displaceable,
  type Holder,
  newestOfLongest,
  nextWaiting,
  type Owner,
  slowHolders,
  type Waiting,
} from './fair-order.ts';
import { limitWait, TurnError, type WaitOptions } from './limit-wait.ts';

export interface FairLineLimits {
  /** Units of all owners together. */
  readonly total: number;
  /** Units of one owner. */
  readonly perOwner: number;
  /** The most that wait. Beyond it, the owner with the most of them loses its newest. */
  readonly maxWaiting: number;
  /** While nobody else waits, an owner may exceed `perOwner` as long as this many stay free; default: never. */
  readonly lendsAllBut?: number;
  /**
   * True if an owner that holds units may only take more that leave at least as much free as it then holds, so that other owners
   * can start at once. For units that are few compared with `total`; default false.
   */
  readonly leavesRoom?: boolean;
  /** Requests up to this size do not wait behind larger ones of other owners; default 0. */
  readonly passingSize?: number;
}

/** Waiting requests may get their units as soon as others have become slow. */
const displaceEveryMs = 250;

export interface Reservation {
  /** Gives back all but this many units. */
  shrink(size: number): void;
  release(): void;
}

/**
 * A weighted semaphore that owners share: of connections, or of bytes. A holder takes all units that it may need at once, so
 * that nobody holds some and waits for more [D56].
 *
 * Fair: the owner that holds least is next, equal ones in rotation. An owner whose share is used up does not block
 * others. Slow work of a heavy owner is displaced for an owner that holds nothing or less.
 */
export class FairLine {
  readonly #limits: FairLineLimits;
  readonly #heldBy = new Map<Owner, number>();
  readonly #lines = new Map<Owner, Set<Waiting>>();
  /** Holders whose work may be displaced. */
  readonly #displaceable = new Set<Holder>();
  #held = 0;
  #displacing: NodeJS.Timeout | null = null;

  constructor(limits: FairLineLimits) {
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

  /** Takes units for an owner if they are free for it now, at most as many as one owner may hold; otherwise null. */
  tryTake(owner: Owner, size: number, work: Displaceable | null = null): Reservation | null {
    const holder = this.#holderOf(owner, size, work);
    if (this.#lines.has(owner) || this.#refusal(holder) !== null) return null;
    if (this.#lines.size > 0 && this.#refusal(holder, this.#isTotalAwaited()) !== null) return null;
    this.#hold(holder);
    this.#displace();
    return this.#reservationOf(holder);
  }

  /** Takes units once they are free. @throws TurnError after the limit or if too many wait; the reason of `gone` */
  async take(
    owner: Owner,
    size: number,
    { work = null, ...options }: WaitOptions & { readonly work?: Displaceable | null },
  ): Promise<Reservation> {
    const taken = this.tryTake(owner, size, work);
    if (taken !== null) return taken;
    const holder = this.#holderOf(owner, size, work);
    await this.#wait(holder, options);
    return this.#reservationOf(holder);
  }

  #holderOf(owner: Owner, size: number, work: Displaceable | null): Holder {
    return { owner, work, size: Math.min(size, this.#limits.perOwner), isDisplaced: false };
  }

  #reservationOf(holder: Holder): Reservation {
    return {
      shrink: (left) => this.#shrink(holder, left),
      release: () => this.#shrink(holder, 0),
    };
  }

  #wait(holder: Holder, options: WaitOptions): Promise<void> {
    return new Promise<void>((resolve, reject) => {
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
        resolve();
      };
      const waiting: Waiting = { holder, grant, giveUp };
      const line = this.#lines.get(holder.owner) ?? new Set();
      this.#lines.set(holder.owner, line.add(waiting));
      if (this.waiting > this.#limits.maxWaiting)
        newestOfLongest(this.#lines)?.giveUp(new TurnError('too many requests are already waiting'));
      this.#displace();
    });
  }

  #remove(waiting: Waiting): void {
    const { owner } = waiting.holder;
    const line = this.#lines.get(owner);
    line?.delete(waiting);
    if (line?.size === 0) this.#lines.delete(owner);
  }

  #hold(holder: Holder): void {
    if (holder.work !== null) this.#displaceable.add(holder);
    this.#add(holder.owner, holder.size);
  }

  #shrink(holder: Holder, size: number): void {
    if (size === 0) this.#displaceable.delete(holder);
    const freed = holder.size - size;
    if (freed <= 0) return;
    holder.size = size;
    this.#add(holder.owner, -freed);
    this.#grantWaiting();
  }

  #add(owner: Owner, size: number): void {
    this.#held += size;
    const held = this.#ownerHolds(owner) + size;
    if (held === 0) this.#heldBy.delete(owner);
    else this.#heldBy.set(owner, held);
  }

  #grantWaiting(): void {
    const { passingSize = 0 } = this.#limits;
    const refused = new Set<Owner>();
    let isTotalAwaited = false;
    // Behind an owner that waits for the total only small requests may be granted.
    while (!isTotalAwaited || passingSize > 0) {
      const first = nextWaiting(this.#lines, (one) => this.#ownerHolds(one), refused);
      if (first === undefined) break;
      const { owner } = first.holder;
      const refusal = this.#refusal(first.holder, isTotalAwaited);
      if (refusal === 'total') isTotalAwaited = true;
      if (refusal !== null) refused.add(owner);
      else {
        const line = this.#lines.get(owner) as Set<Waiting>;
        line.delete(first);
        this.#lines.delete(owner);
        if (line.size > 0) this.#lines.set(owner, line);
        // An owner that waits alone now may have more.
        else refused.clear();
        this.#hold(first.holder);
        first.grant();
      }
    }
    this.#displace();
  }

  /** Displaces slow work for the first waiting request of each owner, repeatedly while requests wait. */
  #displace(): void {
    if (this.#displacing !== null) clearTimeout(this.#displacing);
    this.#displacing = null;
    if (this.#lines.size === 0 || this.#displaceable.size === 0) return;
    this.#displacing = setTimeout(() => this.#displace(), displaceEveryMs).unref();
    const holders = [...this.#displaceable];
    let coming = 0;
    for (const holder of holders) if (holder.isDisplaced) coming += holder.size;
    for (const [owner, [first]] of this.#lines) {
      if (first === undefined || this.#refusal(first.holder) !== 'total') continue;
      const { size } = first.holder;
      const missing = size - (this.#limits.total - this.#held) - coming;
      if (missing <= 0) continue;
      const held = this.#ownerHolds(owner);
      const share = held === 0 ? 0 : held + size;
      const others = holders.filter((holder) => holder.owner !== owner);
      const displaced = slowHolders(others, (one) => this.#ownerHolds(one), share, missing);
      for (const holder of displaced) {
        holder.isDisplaced = true;
        coming += holder.size;
      }
      for (const { work } of displaced) work?.displace();
    }
  }

  /** Returns the reason against granting a holder its units now. `isTotalAwaited`: another owner waits for more of them. */
  #refusal({ owner, size }: Holder, isTotalAwaited = false): 'owner' | 'total' | null {
    const { total, perOwner, lendsAllBut, leavesRoom = false, passingSize = 0 } = this.#limits;
    const held = this.#ownerHolds(owner);
    const left = total - this.#held - size;
    if (held + size > perOwner) {
      const isAlone = this.#lines.size === (this.#lines.has(owner) ? 1 : 0);
      if (lendsAllBut === undefined || !isAlone || left < lendsAllBut) return 'owner';
    }
    if (left < 0 || (isTotalAwaited && size > passingSize)) return 'total';
    return leavesRoom && held > 0 && held + size > left ? 'owner' : null;
  }

  #isTotalAwaited(): boolean {
    for (const [first] of this.#lines.values())
      if (first !== undefined && this.#refusal(first.holder) === 'total') return true;
    return false;
  }

  #ownerHolds(owner: Owner): number {
    return this.#heldBy.get(owner) ?? 0;
  }
}
