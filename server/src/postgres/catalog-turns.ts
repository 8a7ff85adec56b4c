import { TurnError } from './turn-error.ts';
import { WaitingLine, type WaitOptions } from './waiting-line.ts';

/** One that holds the brand's lock, and one that has its connection and its Idempotency-Key ready for the moment it is free. */
const admittedPerBrand = 2;
/** More do not wait: the last of them would be refused for the time anyway. */
const maxWaiting = 200;

interface Brand {
  admitted: number;
  readonly line: WaitingLine;
  /** Number of changes by name, waiting or admitted. */
  readonly names: Map<string, number>;
}

/**
 * The line for a brand's catalog lock, in front of the connections: those who wait for the lock hold no connection meanwhile,
 * so that the changes of one brand cannot take the connections of all [platform-76] [D69].
 *
 * It is this process's own. Of several processes on one database each admits two changes of a brand, which then meet at the
 * lock itself (`brand_catalogs`): it alone keeps them apart, and a brand holds at most two connections of each process for it.
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

  /** Whether a change of this name waits or is admitted. */
  has(brandId: number, name: string): boolean {
    return this.#brands.get(brandId)?.names.has(name) === true;
  }

  /** Admits a change of the brand if that is possible at once. */
  tryTake(brandId: number, name: string | null): boolean {
    const brand = this.#brandOf(brandId);
    if (brand.admitted >= admittedPerBrand || brand.line.length > 0) return false;
    brand.admitted += 1;
    count(brand, name, 1);
    return true;
  }

  /**
   * Waits until the change is admitted; what was admitted has to be given back.
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
    // The place goes over to the next; it is free only when nobody waits.
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
