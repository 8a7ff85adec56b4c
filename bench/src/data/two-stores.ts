import { join } from 'node:path';
import type pg from 'pg';
import type { AnalyticsStore } from '../../../server/src/analytics/store/analytics-store.ts';
import { createClickHouseAnalyticsStore } from '../../../server/src/analytics/store/clickhouse/clickhouse-analytics-store.ts';
import { createPostgresAnalyticsStore } from '../../../server/src/analytics/store/postgres/postgres-analytics-store.ts';
import { migrate } from '../../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema } from '../../../server/src/postgres/schema/schema-line.ts';
import { startClickHouseEngine } from '../../../server/test/support/clickhouse/clickhouse-engine.ts';
import type { BenchContext } from '../bench-context.ts';
import { connect } from '../postgres.ts';

/** Both analytics stores, empty, each with a PostgreSQL database of its own. */
export interface TwoStores {
  readonly postgres: AnalyticsStore;
  readonly clickHouse: AnalyticsStore;
  /** The coordination of the ClickHouse store. */
  readonly coordination: pg.Client;
  /** The address of the engine with its database. */
  readonly engineUrl: string;
  close(): Promise<void>;
}

const names = ['bench_postgres_store', 'bench_clickhouse_store'] as const;

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
