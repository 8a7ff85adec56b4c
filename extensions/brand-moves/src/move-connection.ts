import type pg from 'pg';
import { engineNames } from '../../../server/src/analytics/store/coordination/engine-store.ts';
import { findOwnEngine } from '../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import { closeNow, copyConnectionOptions } from '../../../server/src/backup/copy-connection.ts';
import type { MovingEngine } from '../../../server/src/backup/moving-engine.ts';
import type { DatabaseAddress } from '../../../server/src/postgres/connection-options.ts';
import { openConnection } from '../../../server/src/postgres/sessions/session-client.ts';
import type { CellAddresses } from '../../../server/src/serve/brand-mover.ts';
import { type BrandTable, listBrandTables } from './brand-tables-store.ts';

export interface OpenStore {
  readonly client: pg.Client;
  readonly schema: 'public' | 'analytics';
  readonly tables: readonly BrandTable[];
}

export interface OpenCell {
  readonly main: OpenStore;
  readonly analytics: OpenStore;
  readonly clients: readonly pg.Client[];
  /** The configured one; `findCellEngine` compares it with the store. */
  readonly engine: MovingEngine | null;
}

/** Connects to the databases of a cell for `work`, and closes the connections even in the middle of a statement. */
export async function withCell<T>(
  { main, analytics, engine = null }: CellAddresses,
  work: (cell: OpenCell) => Promise<T>,
): Promise<T> {
  const clients: pg.Client[] = [];
  try {
    const open = async (address: DatabaseAddress) => {
      const client = await openConnection(copyConnectionOptions(address, 'brandport-move'));
      clients.unshift(client);
      return client;
    };
    const mainClient = await open(main);
    const analyticsClient = analytics === null ? mainClient : await open(analytics);
    return await work({
      main: {
        client: mainClient,
        schema: 'public',
        tables: await listBrandTables(mainClient, 'public'),
      },
      analytics: {
        client: analyticsClient,
        schema: 'analytics',
        tables: await listBrandTables(analyticsClient, 'analytics'),
      },
      clients,
      engine,
    });
  } finally {
    for (const client of clients) await closeNow(client);
  }
}

/** Returns the engine of the cell; null: PostgreSQL. @throws BackupError if that is not what is configured */
export async function findCellEngine({ analytics, engine }: OpenCell): Promise<MovingEngine | null> {
  const own = await findOwnEngine(analytics.client, engine);
  if (own === null && engine !== null)
    throw new BackupError(
      `The events of the analytics store are in PostgreSQL: unset ${engineNames.setting}, or move them with ` +
        '`brandport analytics copy`.',
    );
  return own;
}
