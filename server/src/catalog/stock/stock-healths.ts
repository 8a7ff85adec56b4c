import { LRUCache } from 'lru-cache';
import type { ServiceContext } from '../../api/operation.ts';
import type { Brand } from '../../brands/brand.ts';
import { countStatuses, type StockHealth } from './queries/count-statuses.ts';

export interface StockHealthContext extends ServiceContext {
  readonly stockHealths: StockHealths;
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
