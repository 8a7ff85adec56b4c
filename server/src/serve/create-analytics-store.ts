import { engineNames, findEngineStore } from '../analytics/store/coordination/engine-store.ts';
import { createPostgresAnalyticsStore } from '../analytics/store/postgres/postgres-analytics-store.ts';
import type { OnAway } from '../analytics/store/store-availability.ts';
import { StoreMismatch } from '../analytics/store/store-trouble.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';
import type { CreatedStore } from './analytics-engine.ts';
import { loadAnalyticsEngine } from './load-extensions.ts';

export interface CreateStoreOptions {
  /** The PostgreSQL database of the analytics store. */
  readonly address: DatabaseAddress;
  /** null: events and rows are in PostgreSQL. */
  readonly engineUrl: string | null;
  readonly onAway?: OnAway;
}

export async function createAnalyticsStore({
  address,
  engineUrl,
  onAway = () => {},
}: CreateStoreOptions): Promise<CreatedStore> {
  const engine = await loadAnalyticsEngine(engineUrl);
  if (engine !== null) return engine.createStore({ address, onAway });
  return {
    store: createPostgresAnalyticsStore({ address, onAway }),
    prepare: () => requireEventsInPostgres(address),
  };
}

/** @throws StoreMismatch if the events of the store are in an engine */
export async function requireEventsInPostgres(address: DatabaseAddress): Promise<void> {
  const database = new Database({
    address,
    applicationName: 'brandport-analytics',
    poolSize: 1,
    readPoolSize: 1,
  });
  try {
    if ((await findEngineStore(database)) !== null)
      throw new StoreMismatch(
        `The events of this analytics store are in ${engineNames.engine}. Set ${engineNames.setting} to the address of its ` +
          'database.',
      );
  } finally {
    await database.close();
  }
}
