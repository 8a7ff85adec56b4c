import { randomUUID } from 'node:crypto';
import { dayOfNumber } from '../../../../server/src/analytics/day.ts';
import { findEngineStore } from '../../../../server/src/analytics/store/events-store.ts';
import { StoreMismatch } from '../../../../server/src/analytics/store/store-databases.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { ClickHouse } from './clickhouse.ts';
import { integer, schemaStatements } from './schema.ts';

/**
 * Creates the tables in ClickHouse and joins them to the store's PostgreSQL. Safe to repeat and to run concurrently.
 * @throws StoreMismatch if the events are in PostgreSQL, in another ClickHouse database, or in a later one than this
 */
export async function prepareClickHouse(database: Database, clickHouse: ClickHouse): Promise<void> {
  for (const text of schemaStatements) await clickHouse.run(text);
  const known = await findEngineStore(database);
  const storeId = known ?? (await createStore(database, clickHouse));
  await requireIdentity(clickHouse, storeId);
  await requirePublished(database, clickHouse);
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

/** Published generations that are looked for, the newest: an older copy of ClickHouse does not have them. */
const publishedAtOnce = 200;

/**
 * Checks that ClickHouse has the newest published days that can still be aggregated. Each has a row of `daily`.
 * @throws StoreMismatch if it is an older copy: its pages would be empty
 */
async function requirePublished(database: Database, clickHouse: ClickHouse): Promise<void> {
  const published = await database.run(
    statement<{ brandId: number; day: number; generation: number }>(
      'list_newest_generations',
      `select p.brand_id as "brandId", p.day - date '1970-01-01' as day, p.generation
       from analytics.published_generations p left join analytics.event_retention r on true
       where p.dataset = 'daily' and (r.kept_since is null or p.day >= r.kept_since)
       order by p.generation desc limit $1`,
      [publishedAtOnce],
      { long: true },
    ),
  );
  if (published.length === 0) return;
  const rows = published.map(
    ({ brandId, day, generation }) => `(${integer(brandId)}, ${integer(day)}, ${integer(generation)})`,
  );
  const found = await clickHouse.rows(
    `select distinct brand_id, day, generation from daily where (brand_id, day, generation) in (${rows.join(', ')})`,
  );
  const known = new Set(found.map((row) => row.join()));
  const missing = published.filter(
    ({ brandId, day, generation }) => !known.has([brandId, day, generation].join()),
  );
  const [first] = missing;
  if (first !== undefined)
    throw new StoreMismatch(
      `ClickHouse does not have ${missing.length} of the last ${published.length} published days, such as ` +
        `${dayOfNumber(first.day)} of brand ${first.brandId}: it is older than PostgreSQL. Restore a later backup of it, or run ` +
        '`brandport doctor --repair`, which aggregates the days from the events that are there.',
    );
}

async function createStore(database: Database, clickHouse: ClickHouse): Promise<string> {
  const rows = await database.run(
    statement<{ has: boolean }>(
      'find_whether_postgres_has_rows',
      `select exists (select from analytics.learning_events) or exists (select from analytics.daily) as has`,
    ),
  );
  if (rows[0]?.has === true)
    throw new StoreMismatch(
      'The analytics store has its events in PostgreSQL. Move them with `brandport analytics copy`, or unset BRANDPORT_CLICKHOUSE_URL.',
    );
  if ((await findIdentity(clickHouse)) !== null)
    throw new StoreMismatch(
      'The database of BRANDPORT_CLICKHOUSE_URL has events of another analytics store.',
    );
  return joinStore(database, clickHouse, true);
}

/**
 * Joins an empty ClickHouse database to PostgreSQL, and returns the id that both have from now on. If another process is doing
 * so, waits for it.
 * @param hasEvents whether the events are there from now on; false: they are being moved
 */
export async function joinStore(
  database: Database,
  clickHouse: ClickHouse,
  hasEvents: boolean,
): Promise<string> {
  return database.transaction(async (tx) => {
    const [claimed] = await tx.run(
      statement<{ store_id: string }>(
        'claim_clickhouse_store',
        `insert into analytics.clickhouse_store (store_id, has_events) values ($1::uuid, $2)
         on conflict do nothing returning store_id::text as store_id`,
        [randomUUID(), hasEvents],
      ),
    );
    if (claimed !== undefined) {
      await clickHouse.insert('store_identity', ['id'], `${claimed.store_id}\n`);
      return claimed.store_id;
    }
    const known = await tx.run(
      statement<{ store_id: string }>(
        'find_claimed_clickhouse_store',
        'select store_id::text as store_id from analytics.clickhouse_store',
      ),
    );
    return (known[0] as { store_id: string }).store_id;
  });
}

/** Returns the id of the store that a ClickHouse database belongs to; null: it belongs to none, or has no tables. */
export async function findIdentity(clickHouse: ClickHouse): Promise<string | null> {
  const ofIdentity = `database = currentDatabase() and name = 'store_identity'`;
  if ((await clickHouse.count('system.tables', ofIdentity)) === 0) return null;
  const [row] = await clickHouse.rows('select id from store_identity');
  return row?.[0] ?? null;
}
