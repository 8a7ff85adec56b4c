import type { ClickHouse } from '../analytics/store/clickhouse/clickhouse.ts';
import type { Database } from '../postgres/database.ts';

/** A statement on a large brand or table takes its time. */
const limits = { answerMs: 6 * 3_600_000, connections: 2 };

/** Opens a ClickHouse database for a command, without asking it anything. Its client is loaded only if it is used. */
export async function openClickHouse(url: string): Promise<ClickHouse> {
  const { ClickHouse: Access } = await import('../analytics/store/clickhouse/clickhouse.ts');
  return new Access(url, limits);
}

/**
 * Opens the ClickHouse database of an analytics store for a command that reads it as it is.
 * @throws StoreMismatch if it is not the store's
 */
export async function openOwnClickHouse(url: string, store: Database): Promise<ClickHouse> {
  const { requireOwnClickHouse } = await import('../analytics/store/clickhouse/prepare-clickhouse.ts');
  const clickHouse = await openClickHouse(url);
  try {
    await requireOwnClickHouse(store, clickHouse);
    return clickHouse;
  } catch (error) {
    await clickHouse.close();
    throw error;
  }
}
