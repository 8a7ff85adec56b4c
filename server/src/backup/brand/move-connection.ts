import type pg from 'pg';
import type { DatabaseAddress } from '../../postgres/connection-options.ts';
import { openConnection } from '../../postgres/sessions/open-connection.ts';
import type { AuditedTransaction, Initiator, Transaction } from '../../postgres/transaction.ts';
import { copyConnectionOptions } from '../copy-connection.ts';
import { type BrandTable, listBrandTables } from './brand-tables-store.ts';
import type { MovingEngine } from './moving-engine.ts';

/** The databases of a cell. */
export interface CellAddresses {
  readonly main: DatabaseAddress;
  /** null: in the main database. */
  readonly analytics: DatabaseAddress | null;
  /** The engine of the analytics store; default: its events are in PostgreSQL. */
  readonly engine?: MovingEngine | null;
}

/** One schema with rows of brands, and a connection to its database. */
export interface OpenStore {
  readonly client: pg.Client;
  readonly schema: 'public' | 'analytics';
  readonly tables: readonly BrandTable[];
}

/** Both schemas of a cell; the client is the same one if they are in one database. */
export interface OpenCell {
  readonly main: OpenStore;
  readonly analytics: OpenStore;
  /** The clients, each once; that of the main database is the last. */
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
    for (const client of clients) await closeConnection(client);
  }
}

/** Closes a connection that may be in the middle of a table; what is not committed is rolled back. */
async function closeConnection(client: pg.Client): Promise<void> {
  const { stream } = (
    client as unknown as { connection: { stream: { destroy(): void; destroyed: boolean } } }
  ).connection;
  if (stream.destroyed) return;
  const closed = new Promise<void>((resolve) => client.once('end', resolve));
  stream.destroy();
  await closed;
}

/** Runs `work` in a transaction of the client. */
export async function inTransaction<T>(client: pg.Client, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work(transactionOf(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Runs `work`, which writes audit entries, in a transaction of the client. */
export function inAuditedTransaction<T>(
  client: pg.Client,
  initiator: Initiator,
  work: (tx: AuditedTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(client, (tx) => work({ ...tx, initiator }));
}

/** The open transaction of a client. */
export function transactionOf(client: pg.Client): Transaction {
  const run = async <Row>({ text, values }: { text: string; values: readonly unknown[] }): Promise<Row[]> =>
    (await client.query(text, [...values])).rows as Row[];
  return { run, queue: (statement) => void run(statement) };
}
