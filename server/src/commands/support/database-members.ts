import type { Config } from '../../config.ts';
import { jobToWire } from '../../jobs/job-wire.ts';
import { listJobs } from '../../jobs/queries/job-list.ts';
import { systemClock } from '../../lib/clock.ts';
import { overviewToWire } from '../../overview/overview-wire.ts';
import { readOverview } from '../../overview/read-overview.ts';
import type { DatabaseAddress } from '../../postgres/connection-options.ts';
import type { Database } from '../../postgres/database.ts';
import { listSessions, readServerVersion } from '../../postgres/list-sessions.ts';
import { createAnalyticsStore } from '../../serve/create-analytics-store.ts';
import { describeStart } from '../../serve/describe-start.ts';
import { packageVersion } from '../../serve/package-version.ts';
import { listTableSizes } from '../../usage/queries/list-table-sizes.ts';
import type { Member } from './support-bundle.ts';

/** The last failed jobs, and the largest tables. */
const listed = 200;

/** Rejects with the reason why the database cannot be used. */
type Main = Promise<{ readonly database: Database; readonly address: DatabaseAddress }>;

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export function databaseMembers(config: Config, main: Main): Member[] {
  const member = (name: string, about: string, read: (database: Database) => Promise<unknown>): Member => ({
    name,
    about,
    gather: async () => json(await read((await main).database)),
  });
  return [
    {
      name: 'overview.json',
      about: 'what needs attention, as in the console and GET /internal/v1/overview',
      gather: async () => json(await overviewOf(config, await main)),
    },
    member('postgresql.json', 'the version of PostgreSQL', async (database) => ({
      version: await readServerVersion(database),
    })),
    member(
      'failed-jobs.json',
      `up to ${listed} failed jobs with their last errors, the oldest first`,
      async (database) => {
        const { rows, total } = await listJobs(
          database,
          { state: 'failed' },
          { number: 1, size: listed, offset: 0 },
        );
        return { total, data: rows.map(jobToWire) };
      },
    ),
    member(
      'sessions.json',
      'sessions of the database, whose locks they wait for; statements up to their first value',
      listSessions,
    ),
    member('tables.json', 'tables by size in bytes', async (database) => {
      const sizes = await listTableSizes(database, ['public', 'analytics', 'pgboss']);
      return sizes.map(({ schema, name, bytes }) => ({ table: `${schema}.${name}`, bytes })).slice(0, listed);
    }),
  ];
}

/** The version and the settings, which need no database. */
export function settingsMember(config: Config): Member {
  return {
    name: 'settings.json',
    about: 'versions, role, address of the database, settings that differ from their defaults',
    gather: async () => json({ at: new Date(systemClock.now()).toISOString(), ...describeStart(config) }),
  };
}

async function overviewOf({ analyticsUrl, engineUrl, role }: Config, { database, address }: Awaited<Main>) {
  const { store: analytics } = await createAnalyticsStore({
    address: analyticsUrl === null ? address : { url: analyticsUrl },
    engineUrl,
  });
  try {
    const context = { database, analytics, clock: systemClock };
    const overview = await readOverview(context, { role: 'administrator', brandIds: null });
    const server = { version: packageVersion, role };
    const rateLimits = { isShared: () => null };
    // Only a running server knows these two states; its metrics have them.
    const { database: _, redis: __, ...known } = overviewToWire(overview, { ...context, server, rateLimits });
    return known;
  } finally {
    await analytics.close(0);
  }
}
