import type { Brand } from '../../../brands/brand.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { type AvailabilityStatus, availabilityStatus } from '../availability.ts';

/** The levels at a location, and how many of them have each status. */
export interface LocationHealth extends Record<AvailabilityStatus, number> {
  readonly locationCode: string;
  levels: number;
}

export interface StockHealth {
  /** Milliseconds since the Unix epoch. */
  readonly countedAt: number;
  /** Sorted by the external code. */
  readonly byLocation: readonly LocationHealth[];
}

interface LevelClass {
  readonly location_code: string;
  readonly levels: number;
  readonly available: number;
  /** null: no level of the class was last written by a feed. */
  readonly fresh_at: Date | null;
}

const hourMs = 3_600_000;
const firstInstant = Date.parse('0001-01-01T00:00:00Z');

/**
 * Counts levels by status in one pass: PostgreSQL divides them into classes by what a status depends on, and the status of a
 * class is that of any of its levels [D253].
 */
export async function countStatuses(database: Queryable, brand: Brand, now: number): Promise<StockHealth> {
  const { lowStockThreshold, staleAfterHours } = brand.settings;
  const freshSince =
    staleAfterHours === null ? null : new Date(Math.max(now - staleAfterHours * hourMs, firstInstant));
  const classes = await database.run(
    statement<LevelClass>(
      'count_statuses',
      `select o.external_code as location_code, l.levels, l.available, l.fresh_at
       from (
         select location_id, count(*) as levels, max(greatest(quantity - reserved, 0)) as available,
           max(source_updated_at) filter (where is_from_feed) as fresh_at
         from stock_levels
         where brand_id = $1 and not is_hidden
         group by location_id, quantity <= reserved, quantity - reserved <= $2,
           is_from_feed and source_updated_at < $3::timestamptz
       ) as l
       join stock_locations o on o.brand_id = $1 and o.id = l.location_id
       where o.is_active
       order by o.external_code`,
      [brand.id, lowStockThreshold, freshSince],
      { long: true },
    ),
  );
  const byLocation = new Map<string, LocationHealth>();
  for (const { location_code: locationCode, levels, available, fresh_at } of classes) {
    const freshAt = fresh_at?.getTime() ?? Infinity;
    const stock = { levels: 1, countedLevels: 1, available, freshAt };
    const status = availabilityStatus(stock, brand.settings, now) as AvailabilityStatus;
    const health = byLocation.get(locationCode) ?? { locationCode, levels: 0, ...noStatuses };
    health.levels += levels;
    health[status] += levels;
    byLocation.set(locationCode, health);
  }
  return { countedAt: now, byLocation: [...byLocation.values()] };
}

const noStatuses: Record<AvailabilityStatus, number> = {
  in_stock: 0,
  low_stock: 0,
  out_of_stock: 0,
  stale: 0,
};
