import { type Brandport, parseInstant, type StockLevelListed } from '@brandport/client';
import { levelKey, type WantedCatalog } from '../wanted/wanted-catalog.ts';
import type { PlanCounts, StockStep } from './plan-types.ts';

export interface StockContext {
  readonly brandport: Brandport;
  /** The time of the server's clock. */
  readonly plannedAt: string;
  readonly skus: StockSkus;
  readonly counts: PlanCounts;
  /** false: a SKU that was not met may belong to a variant that was not read. */
  readonly canVerifySkus: boolean;
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
    this.unseen = new Set([...wanted.levels.values()].map(({ sku }) => sku));
  }

  see(sku: string, hasVariants: boolean): void {
    if (this.unseen.delete(sku) && hasVariants) this.parents.add(sku);
  }
}

/**
 * Returns the lines of the feed: the rows that differ from the stored levels. A row without a time gets the plan's, or
 * the stored level's if it is later: a quantity that is written after the plan has read it stays.
 */
export async function planStock(wanted: WantedCatalog, context: StockContext): Promise<StockStep[]> {
  const { brandport, skus, counts, plannedAt, signal } = context;
  const stored = new Map<string, Pick<StockLevelListed, 'quantity' | 'source_updated_at'>>();
  const settled = new Set<string>();
  for await (const level of brandport.catalog.stock.levels({ per_page: 200 }, { signal })) {
    skus.see(level.sku, false);
    const key = levelKey(level.sku, level.location);
    const row = wanted.levels.get(key);
    if (row === undefined) continue;
    const isSame = row.quantity === level.quantity && (row.reserved ?? level.reserved) === level.reserved;
    const isOlder = row.updatedAt !== undefined && timeOf(row.updatedAt) < timeOf(level.source_updated_at);
    if (isSame && !context.isComplete) counts.sameLevels += 1;
    else if (isOlder) counts.staleLevels += 1;
    else {
      stored.set(key, { quantity: level.quantity, source_updated_at: level.source_updated_at });
      continue;
    }
    settled.add(key);
  }
  const steps: StockStep[] = [];
  for (const [key, { place, sku, location, quantity, reserved, updatedAt }] of wanted.levels) {
    if (settled.has(key)) continue;
    if (skus.parents.has(sku))
      wanted.problems.add(place, `${sku} has variants: name the SKUs of its variants`);
    else if (context.canVerifySkus && skus.unseen.has(sku))
      wanted.problems.add(place, `the SKU ${sku} is not known`);
    else if (!context.locations.has(location))
      wanted.problems.add(place, `the location ${location} is neither stored nor in the input`);
    else {
      const { quantity: from = null, source_updated_at: time = '' } = stored.get(key) ?? {};
      // Texts of the service, which may have microseconds: without the Z they are in the order of the times.
      const earliest = time.slice(0, -1) > plannedAt.slice(0, -1) ? time : plannedAt;
      const line = {
        sku,
        location_code: location,
        quantity,
        ...(reserved !== undefined && { reserved }),
        updated_at: updatedAt ?? earliest,
      };
      steps.push({ place, from, line });
    }
  }
  return steps;
}

const timeOf = (text: string) => parseInstant(text)?.getTime() ?? Number.NaN;
