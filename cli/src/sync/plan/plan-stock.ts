import type { Brandport, FeedLine, StockLevel } from '@brandport/client';
import type { SpoolRef } from '../../input/spool.ts';
import { levelKey, type WantedCatalog } from '../wanted/wanted-catalog.ts';
import type { PlanCounts } from './plan-counts.ts';

export interface StockOptions {
  /** The time of the server's clock. */
  readonly plannedAt: string;
  /** true: rows that are stored already are sent as well, which renews their time. */
  readonly isComplete: boolean;
  readonly locations: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/** The SKUs of stock rows that the plan has met so far. */
export class StockSkus {
  readonly unseen: Set<string>;
  readonly parents = new Set<string>();

  constructor(wanted: WantedCatalog) {
    this.unseen = new Set([...wanted.levels.keys()].map((key) => key.slice(0, key.indexOf('\u0000'))));
  }

  see(sku: string, hasVariants: boolean): void {
    if (this.unseen.delete(sku) && hasVariants) this.parents.add(sku);
  }
}

/**
 * Yields the lines of the feed: the rows that differ from the stored levels. Problems are reported before the first line.
 * A row without a time gets that of the plan, or that of the stored level if it is later: a quantity that is written after
 * the plan has read it stays.
 */
export async function* stockLines(
  wanted: WantedCatalog,
  context: { brandport: Brandport; skus: StockSkus; counts: PlanCounts; canVerifySkus: () => boolean },
  options: StockOptions,
): AsyncGenerator<FeedLine, void, undefined> {
  const { brandport, skus, counts } = context;
  const remaining = new Map<string, SpoolRef>(wanted.levels);
  const laterTimes = new Map<string, string>();
  const { signal } = options;
  for await (const stored of brandport.catalog.stock.levels({ per_page: 200 }, { signal })) {
    skus.see(stored.sku, false);
    const key = levelKey(stored.sku, stored.location);
    const ref = remaining.get(key);
    if (ref === undefined) continue;
    const level = wanted.level(ref);
    const isSame =
      level.quantity === stored.quantity && (level.reserved ?? stored.reserved) === stored.reserved;
    if (isSame && !options.isComplete) counts.sameLevels += 1;
    else if (isOlder(level.updatedAt, stored)) counts.staleLevels += 1;
    else {
      // Texts of the service, which may have microseconds: without the Z they are in the order of the times.
      if (stored.source_updated_at.slice(0, -1) > options.plannedAt.slice(0, -1))
        laterTimes.set(key, stored.source_updated_at);
      continue;
    }
    remaining.delete(key);
  }
  const canVerify = context.canVerifySkus();
  for (const [key, ref] of remaining) {
    const { place, sku, location, quantity, reserved, updatedAt } = wanted.level(ref);
    if (skus.parents.has(sku))
      wanted.problems.add(place, `${sku} has variants: name the SKUs of its variants`);
    else if (canVerify && skus.unseen.has(sku)) wanted.problems.add(place, `the SKU ${sku} is not known`);
    else if (!options.locations.has(location))
      wanted.problems.add(place, `the location ${location} is neither stored nor in the input`);
    else
      yield {
        sku,
        location_code: location,
        quantity,
        ...(reserved !== undefined && { reserved }),
        updated_at: updatedAt ?? laterTimes.get(key) ?? options.plannedAt,
      };
  }
}

function isOlder(updatedAt: string | undefined, { source_updated_at: stored }: StockLevel): boolean {
  return updatedAt !== undefined && Date.parse(updatedAt) < Date.parse(stored);
}
