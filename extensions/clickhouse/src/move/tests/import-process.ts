import process from 'node:process';
import { openBackup } from '../../../../../server/src/backup/check-backup.ts';
import type { DatabaseAddress } from '../../../../../server/src/postgres/connection-options.ts';
import { importBrand } from '../../../../brand-moves/src/import-brand.ts';
import { ClickHouse } from '../../store/clickhouse.ts';
import { movingClickHouse } from '../moving-clickhouse.ts';

/** The work of a process that a test kills. */
export interface ImportWork {
  readonly file: string;
  readonly main: DatabaseAddress;
  readonly clickHouseUrl: string;
  /** Stops forever at the first line that matches. */
  readonly stopsAt: string;
}

// Imports a brand, and prints a line for each table and month that has arrived.
const { file, main, clickHouseUrl, stopsAt } = JSON.parse(process.argv[2] as string) as ImportWork;
const cancelled = new AbortController().signal;
const clickHouse = new ClickHouse(clickHouseUrl, { answerMs: 120_000, connections: 2 });
const backup = await openBackup(file, cancelled, 'brand');
await importBrand(
  backup,
  { main, analytics: null, engine: movingClickHouse(clickHouse) },
  {
    log: (_level, text) => {
      process.stdout.write(`${text}\n`);
      if (new RegExp(stopsAt).test(text)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
    cancelled,
  },
);
await backup.reader.close();
await clickHouse.close();
