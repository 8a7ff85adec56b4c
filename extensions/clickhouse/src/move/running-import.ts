import type pg from 'pg';
import { copyConnectionOptions } from '../../../../server/src/backup/copy-connection.ts';
import type { DatabaseAddress } from '../../../../server/src/postgres/connection-options.ts';
import { openConnection } from '../../../../server/src/postgres/sessions/session-client.ts';
import { type Beats, startBeats } from '../store/beats.ts';
import { beginImport, givenUp, type ImportNumbers, renewImport } from './import-attempt-store.ts';

/** Time between signs of life. */
const beatMs = 10_000;

/** An import whose rows the upkeep deletes unless they are published. Its beats are lost when it was given up. */
export interface RunningImport extends ImportNumbers, Beats {
  /** A connection next to the transaction of the import, to the database of the coordination. */
  readonly client: pg.Client;
}

/** Runs `work` as an import of a brand with its own numbers and beats. After a failure the rows are left to the upkeep. */
export async function whileImporting<T>(
  address: DatabaseAddress,
  brandId: number,
  layers: number,
  work: (running: RunningImport) => Promise<T>,
): Promise<T> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-move'));
  try {
    const numbers = await beginImport(client, brandId, layers);
    const beats = startBeats(beatMs, async () => {
      if (!(await renewImport(client, brandId, numbers))) throw givenUp();
    });
    return await work({ ...numbers, ...beats, client }).finally(() => void beats.stop());
  } finally {
    await client.end();
  }
}
