import type pg from 'pg';
import { copyConnectionOptions } from '../../../../server/src/backup/copy-connection.ts';
import type { DatabaseAddress } from '../../../../server/src/postgres/connection-options.ts';
import { openConnection } from '../../../../server/src/postgres/sessions/session-client.ts';
import { type Beats, startBeats } from '../store/beats.ts';
import { beginImport, givenUp, type ImportNumbers, renewImport } from './import-attempt-store.ts';

/** Time between signs of life. */
const beatMs = 10_000;

/** An import whose rows the upkeep deletes unless they are published. */
export interface RunningImport extends ImportNumbers {
  /** A connection next to the transaction of the import, to the database of the coordination. */
  readonly client: pg.Client;
  /** Aborted when the import was given up, or its connection is lost. */
  readonly lost: AbortSignal;
  /** Stops the signs of life, right before the import is published. @throws the reason of `lost` */
  settle(): Promise<void>;
}

/**
 * Runs `work` as an import of a brand, with its own numbers, and shows every 10 seconds that it is alive. After a failure the
 * rows are left to the upkeep.
 */
export async function whileImporting<T>(
  address: DatabaseAddress,
  brandId: number,
  layers: number,
  work: (running: RunningImport) => Promise<T>,
): Promise<T> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-move'));
  let beats: Beats | null = null;
  try {
    const numbers = await beginImport(client, brandId, layers);
    const running = startBeats(beatMs, async () => {
      if (!(await renewImport(client, brandId, numbers))) throw givenUp();
    });
    beats = running;
    const settle = async () => {
      await running.stop();
      running.lost.throwIfAborted();
    };
    return await work({ ...numbers, client, lost: running.lost, settle });
  } finally {
    void beats?.stop();
    await client.end();
  }
}
