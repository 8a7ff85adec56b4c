import type { Queryable } from '../../../postgres/database.ts';
import { readDatabaseSize } from '../../../postgres/read-database-size.ts';
import type { StoreFigures } from '../analytics-store.ts';
import { readOldestLatestDay } from '../coordination/read-oldest-latest-day.ts';

/** See `AnalyticsStore.readFigures`. */
export async function readStoreFigures(database: Queryable): Promise<StoreFigures> {
  const [bytes, oldestLatestDay] = await Promise.all([
    readDatabaseSize(database),
    readOldestLatestDay(database),
  ]);
  return { bytes, oldestLatestDay };
}
