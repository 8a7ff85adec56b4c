import { TurnError } from '../../postgres/turn-error.ts';
import type { WaitOptions } from '../../postgres/waiting-line.ts';

/** Further requests of one brand are refused at once: they would only fill the memory. */
const maxWaitingPerBrand = 1_000;

/** Requests that wait for a shared transaction. Brands are served in rotation, each in order of arrival [platform-76]. */
export class RequestLine<T> {
  /** The brand whose turn is next first; a brand is listed only while it waits. */
  readonly #brands = new Map<number, Set<Waiting<T>>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Adds a request. `onGivenUp` is called at most once, and only if the request leaves before it was taken: with a
   * TurnError after `limitMs`, or with the reason of `gone` if that aborts.
   * @throws TurnError if too many requests of the brand are waiting
   */
  add(brandId: number, item: T, { limitMs, gone }: WaitOptions, onGivenUp: (reason: unknown) => void): void {
    const brand = this.#brands.get(brandId) ?? new Set();
    if (brand.size >= maxWaitingPerBrand)
      throw new TurnError(`${maxWaitingPerBrand} writes of the brand are already waiting`);
    const giveUp = (reason: unknown) => {
      waiting.leave();
      brand.delete(waiting);
      this.#length -= 1;
      if (brand.size === 0) this.#brands.delete(brandId);
      onGivenUp(reason);
    };
    const signal = gone?.();
    const onGone = () => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(new TurnError(`no turn within ${limitMs} ms`)), limitMs);
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onGone);
    };
    const waiting: Waiting<T> = { item, leave };
    brand.add(waiting);
    this.#brands.set(brandId, brand);
    this.#length += 1;
    if (signal?.aborted === true) onGone();
    else signal?.addEventListener('abort', onGone);
  }

  /** Takes up to `most` requests, one of each brand in turn; the brand that got the last one is served last next time. */
  take(most: number): T[] {
    const taken: T[] = [];
    while (taken.length < most) {
      const [next] = this.#brands;
      if (next === undefined) break;
      const [brandId, brand] = next;
      const [waiting] = brand as Set<Waiting<T>>;
      this.#brands.delete(brandId);
      if (waiting === undefined) continue;
      brand.delete(waiting);
      if (brand.size > 0) this.#brands.set(brandId, brand);
      waiting.leave();
      this.#length -= 1;
      taken.push(waiting.item);
    }
    return taken;
  }
}

interface Waiting<T> {
  readonly item: T;
  readonly leave: () => void;
}
