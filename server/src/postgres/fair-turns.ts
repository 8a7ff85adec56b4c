import { TurnError } from './turn-error.ts';
import { WaitingLine, type WaitOptions } from './waiting-line.ts';

/**
 * The share that work counts towards: a brand's id, the name of an operation whose requests of all brands share
 * transactions, or null for administration and jobs.
 */
export type Share = number | string | null;

/** Further requests of one share are refused at once: they would only fill the memory. */
const maxWaiting = 1_000;

interface Holding {
  held: number;
  readonly line: WaitingLine;
}

/**
 * Divides a number of connections fairly between brands [platform-76] [D69]. While others wait, a share has at most a
 * third, and waiting shares take turns. While nobody else waits, a share may have more, but one third stays free, so
 * that a new share gets a connection at once.
 */
export class FairTurns {
  readonly #third: number;
  readonly #reserve: number;
  readonly #holdings = new Map<Share, Holding>();
  /** Waiting shares, the next one first. */
  readonly #rotation = new Set<Share>();
  #free: number;

  readonly #width: number;

  /** `width`: the connections to divide. */
  constructor(width: number) {
    this.#width = width;
    this.#free = width;
    this.#third = Math.max(1, Math.floor(width / 3));
    this.#reserve = Math.floor(width / 3);
  }

  get inUse(): number {
    return this.#width - this.#free;
  }

  get waiting(): number {
    let sum = 0;
    for (const share of this.#rotation) sum += this.#holdings.get(share)?.line.length ?? 0;
    return sum;
  }

  /** Takes a turn if one is free. */
  tryTake(share: Share): boolean {
    const holding = this.#holdingOf(share);
    if (holding.line.length > 0 || !this.#mayTake(share, holding)) {
      this.#forgetIdle(share, holding);
      return false;
    }
    this.#free -= 1;
    holding.held += 1;
    return true;
  }

  /**
   * Waits for a turn. The caller returns it afterwards.
   * @throws TurnError when too many wait, or after the limit; the reason of `gone`
   */
  async take(share: Share, options: WaitOptions): Promise<void> {
    const holding = this.#holdingOf(share);
    if (holding.line.length >= maxWaiting)
      throw new TurnError(`${maxWaiting} requests are already waiting for a connection`);
    this.#rotation.add(share);
    try {
      await holding.line.wait(options);
    } catch (error) {
      if (holding.line.length === 0) this.#rotation.delete(share);
      this.#forgetIdle(share, holding);
      // While this share waited, others were limited to their third.
      this.#admit();
      throw error;
    }
  }

  give(share: Share): void {
    const holding = this.#holdingOf(share);
    holding.held -= 1;
    this.#free += 1;
    this.#admit();
    this.#forgetIdle(share, holding);
  }

  #admit(): void {
    for (let isAdmitted = true; isAdmitted && this.#free > 0; ) {
      isAdmitted = false;
      for (const share of this.#rotation) {
        const holding = this.#holdingOf(share);
        if (!this.#mayTake(share, holding)) continue;
        this.#rotation.delete(share);
        this.#free -= 1;
        holding.held += 1;
        holding.line.admitFirst();
        if (holding.line.length > 0) this.#rotation.add(share);
        isAdmitted = true;
        break;
      }
    }
  }

  #mayTake(share: Share, { held }: Holding): boolean {
    if (this.#free === 0) return false;
    if (held < this.#third) return true;
    const othersWait = this.#rotation.size > (this.#rotation.has(share) ? 1 : 0);
    return !othersWait && this.#free > this.#reserve;
  }

  #holdingOf(share: Share): Holding {
    const known = this.#holdings.get(share);
    if (known !== undefined) return known;
    const holding = { held: 0, line: new WaitingLine() };
    this.#holdings.set(share, holding);
    return holding;
  }

  #forgetIdle(share: Share, { held, line }: Holding): void {
    if (held === 0 && line.length === 0) this.#holdings.delete(share);
  }
}
