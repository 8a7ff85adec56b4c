import { openJobQueue } from '../../../src/jobs/job-queue.ts';
import { Database } from '../../../src/postgres/database.ts';
import { migrate } from '../../../src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../../src/postgres/schema/schema-files.ts';
import type { Connection } from './find-or-start-cluster.ts';

/** Gives an empty database all that a started server would: both schemas and the tables of the job queue. */
export async function fillTemplate(address: Connection): Promise<void> {
  await migrate(address, mainSchema);
  await migrate(address, analyticsSchema);
  const database = new Database({ address, applicationName: 'brandport-test' });
  const jobs = await openJobQueue(database, { info: () => {}, error: () => {} }, false);
  await jobs.stop(0);
  await database.close();
}
