import { randomUUID } from 'node:crypto';
import { StoreMismatch } from '../../../../server/src/analytics/store/access.ts';
import { findEngineStore } from '../../../../server/src/analytics/store/engine-store.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from './clickhouse.ts';
import { claimStore, hasPostgresRows } from './coordination/store-identity-store.ts';
import { schemaStatements } from './schema.ts';
import { findIdentity, insertIdentity } from './store-identity.ts';

/**
 * Creates the tables in ClickHouse and joins them to the coordination in PostgreSQL. Safe to repeat and to run concurrently.
 * @throws StoreMismatch if the events are in PostgreSQL, or in another ClickHouse database
 */
export async function prepareClickHouse(database: Database, clickHouse: ClickHouse): Promise<void> {
  for (const text of schemaStatements) await clickHouse.run(text);
  const known = await findEngineStore(database);
  const storeId = known ?? (await createStore(database, clickHouse));
  await requireIdentity(clickHouse, storeId);
}

/** Checks that the store's events are in this ClickHouse database, and changes nothing. @throws StoreMismatch */
export async function requireOwnClickHouse(database: Database, clickHouse: ClickHouse): Promise<void> {
  const storeId = await findEngineStore(database);
  if (storeId === null)
    throw new StoreMismatch('The analytics store has its events in PostgreSQL, not in ClickHouse.');
  await requireIdentity(clickHouse, storeId);
}

async function requireIdentity(clickHouse: ClickHouse, storeId: string): Promise<void> {
  if ((await findIdentity(clickHouse)) !== storeId)
    throw new StoreMismatch(
      'The database of BRANDPORT_CLICKHOUSE_URL does not belong to this analytics store: it is empty or of another one. After ' +
        "`brandport restore`, restore ClickHouse's own backup there: docs/clickhouse.md has the steps.",
    );
}

async function createStore(database: Database, clickHouse: ClickHouse): Promise<string> {
  if (await hasPostgresRows(database))
    throw new StoreMismatch(
      'The analytics store has its events in PostgreSQL. Move them with `brandport analytics copy`, or unset BRANDPORT_CLICKHOUSE_URL.',
    );
  if ((await findIdentity(clickHouse)) !== null)
    throw new StoreMismatch(
      'The database of BRANDPORT_CLICKHOUSE_URL has events of another analytics store.',
    );
  return joinStore(database, clickHouse, true);
}

/** Joins an empty ClickHouse database to the coordination, and returns the id that both have from now on. */
export async function joinStore(
  database: Database,
  clickHouse: ClickHouse,
  hasEvents: boolean,
): Promise<string> {
  return database.transaction(async (tx) => {
    const { storeId, isNew } = await claimStore(tx, randomUUID(), hasEvents);
    if (isNew) await insertIdentity(clickHouse, storeId);
    return storeId;
  });
}
