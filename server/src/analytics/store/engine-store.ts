import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { StoreMismatch } from './access.ts';

/** The engine that may keep events and datasets outside of PostgreSQL, as messages and settings name it. */
export const engineNames = {
  engine: 'ClickHouse',
  setting: 'BRANDPORT_CLICKHOUSE_URL',
} as const;

/** Returns the id of the engine's database that has the events; null: they are in PostgreSQL. */
export async function findEngineStore(database: Queryable): Promise<string | null> {
  // Backups read databases whose migrations have not run.
  const [known] = await database.run(
    statement<{ known: boolean }>(
      'find_whether_engines_are_known',
      `select to_regclass('analytics.clickhouse_store') is not null as known`,
    ),
  );
  if (known?.known !== true) return null;
  const rows = await database.run(
    statement<{ store_id: string }>(
      'find_engine_store',
      'select store_id::text as store_id from analytics.clickhouse_store where has_events',
    ),
  );
  return rows[0]?.store_id ?? null;
}

/** @throws StoreMismatch if the events of the store are in an engine */
export async function requireEventsInPostgres(database: Queryable): Promise<void> {
  if ((await findEngineStore(database)) !== null)
    throw new StoreMismatch(
      `The events of this analytics store are in ${engineNames.engine}. Set ${engineNames.setting} to the address of its ` +
        'database.',
    );
}
