export interface ByteBudgetLimits {
  /** Bytes of all owners together. */
  readonly total: number;
  /** Bytes of one owner; the largest claim that can be granted. */
  readonly perOwner: number;
  /** Requests that may wait at a time; further ones are refused at once. */
  readonly maxWaiting: number;
}

/** There was no room in time, or too many wait already. */
export class NoRoomError extends Error {
  constructor() {
    super('byte budget exhausted');
    this.name = 'NoRoomError';
  }
}

interface Holder {
  readonly owner: string;
  /** The most that it will ever hold. */
  readonly claim: number;
  held: number;
}

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * Shares a number of bytes among owners. A holder states first the most that it will need (its claim), takes bytes as it
 * grows, and gives everything back at once.
 *
 * Free of deadlock: bytes are granted only if afterwards all holders could still reach their claims, one after the other
 * (the banker's algorithm, over the total and each owner's share) [D56]. Fair: who holds bytes goes before who holds none, then
 * first come, first served; an owner whose share is used up holds up nobody else.
 */
export class ByteBudget {
  readonly #limits: ByteBudgetLimits;
  readonly #holders = new Set<Holder>();
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  #waiting: Waiting[] = [];

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

  /** A holder without bytes. `claim` is cut to what one owner may hold. */
  open(owner: string, claim: number): Reservation {
    const holder = { owner, claim: Math.min(claim, this.#limits.perOwner), held: 0 };
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
    const bytes = Math.min(wanted, holder.claim - holder.held);
    if (bytes <= 0) return undefined;
    if (this.#waiting.length === 0 && this.#refusal(holder, bytes) === null) {
      this.#take(holder, bytes);
      return undefined;
    }
    if (this.#waiting.length >= this.#limits.maxWaiting) return Promise.reject(new NoRoomError());
    const signal = signalOf?.();
    return new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        settle();
      };
      const waiting = { holder, bytes, grant: () => end(resolve) };
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        end(() => reject(new NoRoomError()));
        this.#grantWaiting();
      };
      const timer = setTimeout(giveUp, waitMs).unref();
      signal?.addEventListener('abort', giveUp);
      this.#waiting.push(waiting);
      this.#grantWaiting();
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
    const [growing, starting] = [true, false].map((holds) =>
      this.#waiting.filter(({ holder }) => holder.held > 0 === holds),
    ) as [Waiting[], Waiting[]];
    const granted = new Set<Waiting>();
    const tryGrant = (waiting: Waiting): 'owner' | 'total' | null => {
      const refusal = this.#refusal(waiting.holder, waiting.bytes);
      if (refusal !== null) return refusal;
      this.#take(waiting.holder, waiting.bytes);
      granted.add(waiting);
      return null;
    };
    for (const waiting of growing) tryGrant(waiting);
    const blocked = new Set<string>();
    for (const waiting of starting) {
      if (blocked.has(waiting.holder.owner)) continue;
      const refusal = tryGrant(waiting);
      if (refusal === 'total') break;
      if (refusal === 'owner') blocked.add(waiting.holder.owner);
    }
    if (granted.size === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !granted.has(waiting));
    for (const { grant } of granted) grant();
  }

  /** What stands against giving `bytes` to the holder now. */
  #refusal(holder: Holder, bytes: number): 'owner' | 'total' | null {
    const ofOwner = this.#limits.perOwner - this.#ownerHolds(holder.owner);
    const free = this.#limits.total - this.#held;
    if (bytes > ofOwner) return 'owner';
    if (bytes > free) return 'total';
    // Enough for the whole claim: this holder can end first, and what is left was safe before.
    const need = holder.claim - holder.held;
    if (need <= Math.min(ofOwner, free)) return null;
    return this.#isSafeWith(holder, bytes) ? null : 'owner';
  }

  /** Whether all holders could reach their claims one after the other, if the holder had `bytes` more. */
  #isSafeWith(holder: Holder, bytes: number): boolean {
    const heldOf = (one: Holder) => one.held + (one === holder ? bytes : 0);
    // Who holds its whole claim ends without more.
    let growing = [...new Set([...this.#holders, holder])].filter((one) => heldOf(one) < one.claim);
    let free = this.#limits.total;
    const freeOf = new Map<string, number>();
    const addFree = (owner: string, more: number) => {
      free += more;
      freeOf.set(owner, (freeOf.get(owner) ?? this.#limits.perOwner) + more);
    };
    for (const one of growing) addFree(one.owner, -heldOf(one));
    for (;;) {
      const left = growing.filter((one) => {
        const need = one.claim - heldOf(one);
        if (need > free || need > (freeOf.get(one.owner) ?? 0)) return true;
        addFree(one.owner, heldOf(one));
        return false;
      });
      if (left.length === 0) return true;
      if (left.length === growing.length) return false;
      growing = left;
    }
  }

  #ownerHolds(owner: string): number {
    return this.#heldBy.get(owner) ?? 0;
  }
}

/** The bytes of one holder. */
export interface Reservation {
  /**
   * Takes so many bytes more, up to the claim. Undefined: granted at once. One call at a time. `signalOf` is called only
   * if it has to wait.
   * @throws NoRoomError after `waitMs`, when the signal aborts, or when too many wait; what is held stays held
   */
  grow(bytes: number, waitMs: number, signalOf?: () => AbortSignal): Promise<void> | undefined;
  /** Gives everything back; safe to call again. Not while `grow` waits. */
  release(): void;
}
