import { connectionOptions } from '../../src/postgres/connection-options.ts';
import { openConnection } from '../../src/postgres/sessions/session-client.ts';
import type { TestApps } from '../support/test-apps.ts';
import type { Query } from './plan-recorder.ts';

/** PostgreSQL compares the first five plans with one for any values; one more run shows what it has chosen. */
const runs = 7;

/** Returns the names of the statements that a connection plans again on every run, with these values. */
export async function listPlannedEachTime(apps: TestApps, queries: Iterable<Query>): Promise<string[]> {
  const client = await openConnection(connectionOptions(apps.address, 'brandport-test'));
  try {
    for (const query of queries)
      for (let run = 0; run < runs; run += 1) await client.query({ ...query, values: [...query.values] });
    const { rows } = await client.query<{ name: string }>(
      'select name from pg_prepared_statements where generic_plans = 0 order by name',
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
