import { LRUCache } from 'lru-cache';
import { type Static, Type } from 'typebox';
import { NamedObject, Timestamp } from '../../api/field-schemas.ts';
import { operationKit, type ServiceContext } from '../../api/operation.ts';
import type { Brand } from '../../brands/brand.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { type AvailabilityStatus, availabilityStatus } from './stock-level.ts';

export interface StockHealthContext extends ServiceContext {
  readonly stockHealths: StockHealths;
}

const { readOperation } = operationKit<StockHealthContext>();

const count = (description: string) => Type.Integer({ minimum: 0, description });

const statusCounts = {
  levels: count('Stock levels at active locations, without those of deleted variants.'),
  out_of_stock: count('Levels with nothing available.'),
  low_stock: count('Levels with at most `low_stock_threshold` of the brand available, but not nothing.'),
  stale: count('Levels that no feed has updated for `stale_after_hours` of the brand, in no other count.'),
};

export const StockHealthWire = NamedObject('StockHealth', {
  as_of: Timestamp({ description: 'When the levels were counted.' }),
  ...statusCounts,
  by_location: Type.Array(
    Type.Object({
      location_code: Type.String({ description: 'The location’s `external_code`.' }),
      ...statusCounts,
    }),
    { description: 'The active locations that have levels, by code.' },
  ),
});

const exampleCounts = { levels: 1_240, out_of_stock: 31, low_stock: 58, stale: 4 };

const stockHealthExample: Static<typeof StockHealthWire> = {
  as_of: '2026-03-02T09:14:03.120Z',
  ...exampleCounts,
  by_location: [{ location_code: 'WH-PARIS', ...exampleCounts }],
};

/** Shows how much stock needs attention, and where [internal-196]. */
export const getStockHealthOperation = readOperation({
  id: 'getStockHealth',
  method: 'GET',
  path: '/brands/:id/stock-health',
  tag: 'Catalog',
  summary: 'Get the stock health of a brand',
  description:
    'Counts the stock levels at active locations that are out of stock, low or stale, by the rule for the status of a product. The counts are at most a minute old.',
  access: 'one-brand',
  params: BrandParams,
  responses: { 200: { description: 'The counts.', schema: StockHealthWire, example: stockHealthExample } },
  handle: async (context, { params }) => {
    const brand = await getBrand(context.database, brandIdFromPath(params.id));
    return { status: 200, body: stockHealthToWire(await context.stockHealths.read(context, brand)) };
  },
});

function stockHealthToWire({ countedAt, byLocation }: StockHealth): Static<typeof StockHealthWire> {
  const sumOf = (name: keyof typeof statusCounts) =>
    byLocation.reduce((sum, location) => sum + location[name], 0);
  return {
    as_of: new Date(countedAt).toISOString(),
    levels: sumOf('levels'),
    out_of_stock: sumOf('out_of_stock'),
    low_stock: sumOf('low_stock'),
    stale: sumOf('stale'),
    by_location: byLocation.map(({ locationCode, levels, out_of_stock, low_stock, stale }) => ({
      location_code: locationCode,
      levels,
      out_of_stock,
      low_stock,
      stale,
    })),
  };
}

/** The levels at a location, and how many of them have each status. */
interface LocationHealth extends Record<AvailabilityStatus, number> {
  readonly locationCode: string;
  levels: number;
}

interface StockHealth {
  /** Milliseconds since the Unix epoch. */
  readonly countedAt: number;
  /** Sorted by the external code. */
  readonly byLocation: readonly LocationHealth[];
}

/** The time for which counted levels are served again; milliseconds. */
const lifetimeMs = 30_000;
const mostBrands = 200;

interface Counted {
  readonly at: number;
  readonly health: Promise<StockHealth>;
}

/** The stock health of brands. Reads within 30 seconds share one count of the levels, unless the brand has changed. */
export class StockHealths {
  readonly #counted = new LRUCache<string, Counted>({ max: mostBrands });

  read({ database, clock }: Pick<ServiceContext, 'database' | 'clock'>, brand: Brand): Promise<StockHealth> {
    const now = clock.now();
    const key = `${brand.id}/${brand.updatedAt.getTime()}`;
    const known = this.#counted.get(key);
    if (known !== undefined && known.at <= now && now - known.at < lifetimeMs) return known.health;
    const health = countStatuses(database, brand, now);
    this.#counted.set(key, { at: now, health });
    health.catch(() => this.#counted.delete(key));
    return health;
  }
}

interface LevelClass {
  readonly locationCode: string;
  readonly levels: number;
  readonly available: number;
  /** null: no level of the class was last written by a feed. */
  readonly freshAt: Date | null;
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
      `select o.external_code as "locationCode", l.levels, l.available, l.fresh_at as "freshAt"
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
  for (const { locationCode, levels, available, freshAt } of classes) {
    const stock = { levels: 1, countedLevels: 1, available, freshAt: freshAt?.getTime() ?? Infinity };
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
