import { after } from 'node:test';
import { addDays, type Day, yesterdayOf } from '../../src/analytics/day.ts';
import { settleDirectoryChanges } from '../../src/analytics/directory-changes/settle-changes.ts';
import { pullTable, type Table } from '../../src/analytics/directory-changes/tests/ledger-client.ts';
import { newSeededBrand } from '../../src/analytics/tests/seed.ts';
import { createSandboxFaults } from '../support/sandbox-faults.ts';
import { createTestApps } from '../support/test-apps.ts';

export const learners = Array.from({ length: 12 }, (_, index) => `u${index}`);

/** Starts the service with a brand whose learners were active on three days. Two contents, one of them not listed. */
export async function startAnalysedService() {
  const faults = createSandboxFaults();
  const apps = await createTestApps({ additions: faults.additions });
  const clientUrl = await apps.clientApp.listen({ host: '127.0.0.1', port: 0 });
  after(() => apps.clientApp.close());
  const yesterday = yesterdayOf(apps.clock.now());
  const days = [-4, -1, 0].map((offset) => addDays(yesterday, offset)) as [Day, Day, Day];
  const brand = await newSeededBrand(apps, { users: learners });
  const range = { from: days[0], to: yesterday };
  await brand.send(days.flatMap((day) => learners.map((user) => ({ day, user }))));
  await brand.send([{ day: yesterday, content: 'orphan', kind: 'completion' }]);
  await brand.aggregate(range);
  return {
    clientUrl,
    faults,
    brand,
    days,
    /** Opts a learner out, and moves the revisions of the days. */
    async optOut(learner: string): Promise<void> {
      await brand.put('users', [{ tu_id: learner, analytics_opt_out: true }]);
      await settleDirectoryChanges(apps.context, brand.brandId, { whenBusy: 'wait' });
    },
    /** Sends a late event of a day and aggregates the day again. */
    async sendLate(day: Day): Promise<void> {
      await brand.send([{ day, user: 'u1', kind: 'completion' }]);
      await brand.aggregate({ from: day, to: day });
    },
    /** Returns what a client that reads everything has. */
    readAll: (): Promise<Table> => pullTable(brand.client, range),
  };
}
