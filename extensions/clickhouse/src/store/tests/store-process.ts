import process from 'node:process';
import { emptyDirectory } from '../../../../../server/src/analytics/tests/store-samples.ts';
import type { DatabaseAddress } from '../../../../../server/src/postgres/connection-options.ts';
import { createClickHouseAnalyticsStore } from './clickhouse-store.ts';
import { days, eventsOf } from './numbered-events.ts';

/** The work of a process that a test kills. */
export interface StoreWork {
  readonly address: DatabaseAddress;
  readonly clickHouseUrl: string;
  readonly brandId: number;
  readonly batches: readonly number[];
}

// Appends batches and aggregates all days at the same time, and prints the number of each acknowledged batch.
const work = JSON.parse(process.argv[2] as string) as StoreWork;
const store = createClickHouseAnalyticsStore(work);
let isAppending = true;
const aggregating = (async () => {
  while (isAppending) {
    const options = { at: new Date(), whenBusy: 'wait' } as const;
    await store.aggregate(work.brandId, days, async () => emptyDirectory, options);
    process.stdout.write('aggregated\n');
  }
})();
for (const batch of work.batches) {
  await store.appendEvents(work.brandId, eventsOf(batch));
  process.stdout.write(`batch ${batch}\n`);
}
isAppending = false;
await aggregating;
await store.close();
