import { TurnError } from './turn-error.ts';
import { WaitingLine, type WaitOptions } from './waiting-line.ts';

/**
 * One holds the brand's lock; the other already has its connection and Idempotency-Key and continues as soon as the
 * lock is free.
 */
const admittedPerBrand = 2;
/** Further changes are refused at once: they would exceed the time limit anyway. */
const maxWaiting = 200;

interface Brand {
  admitted: number;
  readonly line: WaitingLine;
  /** Number of changes by name, waiting or admitted. */
  readonly names: Map<string, number>;
}

/**
 * Queues changes for their brand's catalog lock before they take a connection, so that the waiting changes of one
 * brand cannot occupy the connections of all [platform-76] [D69].
 *
 * Each process has its own queue and admits two changes of a brand, so a brand occupies at most two connections of
 * each process. Only the lock itself (`brand_catalogs`) excludes changes from each other.
 */
export class CatalogTurns {
  readonly #brands = new Map<number, Brand>();

  get waiting(): number {
    let sum = 0;
    for (const { line } of this.#brands.values()) sum += line.length;
    return sum;
  }

  get admitted(): number {
    let sum = 0;
    for (const { admitted } of this.#brands.values()) sum += admitted;
    return sum;
  }

  /** Returns whether a change with this name is waiting or admitted. */
  has(brandId: number, name: string): boolean {
    return this.#brands.get(brandId)?.names.has(name) === true;
  }

  /** Admits a change of the brand if it need not wait. */
  tryTake(brandId: number, name: string | null): boolean {
    const brand = this.#brandOf(brandId);
    if (brand.admitted >= admittedPerBrand || brand.line.length > 0) return false;
    brand.admitted += 1;
    count(brand, name, 1);
    return true;
  }

  /**
   * Waits until the change is admitted. The caller returns its place afterwards.
   * @throws TurnError when too many wait, or after the limit; the reason of `gone`
   */
  async take(brandId: number, name: string | null, options: WaitOptions): Promise<void> {
    const brand = this.#brandOf(brandId);
    if (brand.line.length >= maxWaiting)
      throw new TurnError(`${maxWaiting} changes of the brand are already waiting`);
    count(brand, name, 1);
    try {
      await brand.line.wait(options);
    } catch (error) {
      count(brand, name, -1);
      throw error;
    }
  }

  give(brandId: number, name: string | null): void {
    const brand = this.#brandOf(brandId);
    count(brand, name, -1);
    // The place passes to the next change; it becomes free only if none is waiting.
    if (brand.line.admitFirst()) return;
    brand.admitted -= 1;
    if (brand.admitted === 0) this.#brands.delete(brandId);
  }

  #brandOf(brandId: number): Brand {
    const known = this.#brands.get(brandId);
    if (known !== undefined) return known;
    const brand = { admitted: 0, line: new WaitingLine(), names: new Map<string, number>() };
    this.#brands.set(brandId, brand);
    return brand;
  }
}

function count({ names }: Brand, name: string | null, by: 1 | -1): void {
  if (name === null) return;
  const left = (names.get(name) ?? 0) + by;
  if (left === 0) names.delete(name);
  else names.set(name, left);
}
