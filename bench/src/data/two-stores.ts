import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import type pg from 'pg';
import { createClickHouseAnalyticsStore } from '../../../extensions/clickhouse/src/store/clickhouse-analytics-store.ts';
import { startClickHouseEngine } from '../../../extensions/clickhouse/test/support/clickhouse-engine.ts';
import type { AnalyticsStore } from '../../../server/src/analytics/store/analytics-store.ts';
import { createPostgresAnalyticsStore } from '../../../server/src/analytics/store/postgres/postgres-analytics-store.ts';
import { migrate } from '../../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema } from '../../../server/src/postgres/schema/schema-line.ts';
import type { BenchContext } from '../bench-context.ts';
import { connect } from '../postgres.ts';

/** Both analytics stores, empty, each with its own PostgreSQL database. */
export interface TwoStores {
  readonly postgres: AnalyticsStore;
  readonly clickHouse: AnalyticsStore;
  /** The coordination of the ClickHouse store. */
  readonly coordination: pg.Client;
  /** The address of the engine with its database. */
  readonly engineUrl: string;
  close(): Promise<void>;
}

/** The analytics store in ClickHouse, with many rows. */
export interface RowStore {
  readonly store: AnalyticsStore;
  readonly coordination: pg.Client;
  readonly engineUrl: string;
  close(): Promise<void>;
}

const names = ['bench_postgres_store', 'bench_clickhouse_store'] as const;
const rowStoreName = 'bench_clickhouse_rows';

/** Starts the engine and creates both stores. `close` drops everything. */
export async function openTwoStores({ postgres, client, dataDir }: BenchContext): Promise<TwoStores> {
  for (const name of names) {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name} template template0`);
    await migrate({ ...postgres.address, database: name }, analyticsSchema);
  }
  const [forPostgres, forClickHouse] = names.map((database) => ({ ...postgres.address, database })) as [
    typeof postgres.address,
    typeof postgres.address,
  ];
  const engine = await startClickHouseEngine({ within: join(dataDir, 'clickhouse') });
  const clickHouse = createClickHouseAnalyticsStore({ address: forClickHouse, clickHouseUrl: engine.url });
  await clickHouse.prepare();
  const store = createPostgresAnalyticsStore({ address: forPostgres });
  const coordination = await connect(forClickHouse);
  return {
    postgres: store,
    clickHouse,
    coordination,
    engineUrl: engine.url,
    close: async () => {
      await Promise.all([store.close(), clickHouse.close(), coordination.end()]);
      await engine.stop();
      for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * Starts an engine on a directory of the data, and opens a store that both keep. `isNew` drops what they have of an earlier run
 * that was interrupted.
 */
export async function openRowStore(
  { postgres, client, dataDir }: BenchContext,
  { isNew }: { readonly isNew: boolean },
): Promise<RowStore> {
  const address = { ...postgres.address, database: rowStoreName };
  const directory = join(dataDir, rowStoreName);
  if (isNew) {
    await rm(directory, { recursive: true, force: true });
    await client.query(`drop database if exists ${rowStoreName} with (force)`);
    await client.query(`create database ${rowStoreName} template template0`);
  }
  await mkdir(directory, { recursive: true });
  await migrate(address, analyticsSchema);
  const engine = await startClickHouseEngine({ directory });
  await createDatabase(engine.url);
  const engineUrl = `${engine.url}/${rowStoreName}`;
  const store = createClickHouseAnalyticsStore({ address, clickHouseUrl: engineUrl });
  await store.prepare();
  const coordination = await connect(address);
  return {
    store,
    coordination,
    engineUrl,
    close: async () => {
      await Promise.all([store.close(), coordination.end()]);
      await engine.stop();
    },
  };
}

/** Not the engine's default one, which is of another kind: tables cannot be moved into it. */
async function createDatabase(engineUrl: string): Promise<void> {
  const engine = createClient({ url: engineUrl });
  try {
    await engine.command({ query: `create database if not exists ${rowStoreName}` });
  } finally {
    await engine.close();
  }
}
