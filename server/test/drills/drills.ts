import assert from 'node:assert/strict';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../chaos/fleet.ts';
import { makeNewerVersion } from '../rolling-restart/newer-version.ts';
import { runCommand } from '../support/run-command.ts';
import { seedBrand } from '../support/seed.ts';
import { makeDataDir } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Kit } from './kit.ts';

export interface Drill {
  readonly name: string;
  /** Also part of a nightly run. */
  readonly isShort?: true;
  /** Needs a disk that can be filled. */
  readonly needsRoot?: true;
  /** Responses before a retry that succeeds, as in `Failure`. */
  readonly mayFail: readonly string[];
  /** Reads succeed while the fault lasts. */
  readonly isReadable?: true;
  /** The alert that fires, with its severity; null: none does. */
  readonly alert: readonly [name: string, severity: string] | null;
  /** Alerts that may fire as well. */
  readonly mayFire?: readonly string[];
  /** The fault lasts at least this long. */
  readonly holdMs?: number;
  breaks(kit: Kit): Promise<void> | void;
  repairs(kit: Kit): Promise<void> | void;
}

/** The time until HAProxy has seen that a process is ready, and `RestartSec` of the unit. */
const [settleMs, restartMs] = [2_000, 2_000];
const refused = ['503 service_unavailable', '409 idempotency_conflict'];
const crashed = [...refused, '502 service_unavailable', 'closed'];
const ofOutage = [
  ...['BrandportDatabaseRefusals', 'BrandportServerErrors', 'BrandportAnalyticsDown', 'BrandportJobFailing'],
  ...['BrandportConnectionsShort', 'BrandportSlow'],
];
const databaseDown = ['BrandportDatabaseDown', 'critical'] as const;
const nothing = () => {};

const stopPostgres: Pick<Drill, 'mayFail' | 'alert' | 'mayFire' | 'breaks' | 'repairs'> = {
  mayFail: crashed,
  alert: databaseDown,
  mayFire: ofOutage,
  breaks: ({ postgres }) => postgres.kill(),
  repairs: ({ postgres }) => postgres.start(),
};

/** Each fault that an operator should have met once. docs/monitoring.md, "Drills", has a row for each. */
export const drills: readonly Drill[] = [
  { name: 'rolling-restart', mayFail: [], alert: null, breaks: restartInTurn, repairs: nothing },
  {
    name: 'processes-killed',
    mayFail: crashed,
    alert: null,
    breaks: async ({ fleet }) => {
      for (const member of fleet.members) {
        await fleet.end(member, 'SIGKILL');
        await sleep(restartMs);
        await fleet.launch(member);
        await sleep(settleMs);
      }
    },
    repairs: nothing,
  },
  {
    name: 'process-lost',
    mayFail: crashed,
    alert: ['BrandportDown', 'critical'],
    breaks: async ({ fleet, apis }) => void (await fleet.end(apis[1] as Member, 'SIGKILL')),
    repairs: ({ fleet, apis }) => fleet.launch(apis[1] as Member),
  },
  {
    name: 'crash-loop',
    mayFail: crashed,
    alert: ['BrandportCrashLoop', 'critical'],
    // Depends on the time of a start.
    mayFire: ['BrandportDown'],
    breaks: async ({ fleet, apis, intervalMs }) => {
      for (let life = 1; life <= 4; life += 1) {
        await fleet.end(apis[1] as Member, 'SIGKILL');
        await sleep(restartMs);
        await fleet.launch(apis[1] as Member);
        await sleep(intervalMs + 500);
      }
    },
    repairs: nothing,
  },
  {
    name: 'worker-never-started',
    isShort: true,
    mayFail: [],
    alert: ['BrandportNoWorker', 'critical'],
    mayFire: ['BrandportDown'],
    breaks: async (kit) => {
      await kit.fleet.end(kit.worker, 'SIGTERM');
      await kit.watch();
    },
    repairs: ({ fleet, worker }) => fleet.launch(worker),
  },
  {
    name: 'scrape-lost',
    mayFail: [],
    alert: ['BrandportScrapeLost', 'critical'],
    breaks: ({ prometheus }) => prometheus.setTargets([]),
    repairs: ({ prometheus, scraped }) => prometheus.setTargets(scraped),
  },
  {
    name: 'redis-stopped',
    mayFail: [],
    alert: ['BrandportRedisDown', 'warning'],
    breaks: (kit) => kit.stopRedis(),
    repairs: (kit) => kit.startRedis(),
  },
  { name: 'postgres-stopped', isShort: true, ...stopPostgres },
  { name: 'postgres-stopped-for-minutes', holdMs: 300_000, ...stopPostgres },
  {
    name: 'postgres-killed',
    mayFail: crashed,
    alert: null,
    breaks: ({ postgres }) => postgres.kill(),
    repairs: ({ postgres }) => postgres.start(),
  },
  {
    name: 'postgres-frozen',
    mayFail: refused,
    alert: databaseDown,
    mayFire: ofOutage,
    breaks: ({ postgres }) => postgres.signalAll('SIGSTOP'),
    repairs: ({ postgres }) => postgres.signalAll('SIGCONT'),
  },
  {
    name: 'network-swallowed',
    mayFail: refused,
    alert: databaseDown,
    mayFire: ofOutage,
    breaks: ({ network }) => network.hang(),
    repairs: ({ network }) => network.restore(),
  },
  {
    name: 'disk-full',
    needsRoot: true,
    mayFail: refused,
    isReadable: true,
    alert: ['BrandportDatabaseNotWritable', 'critical'],
    mayFire: ofOutage,
    breaks: ({ postgres }) => postgres.disk.fill(),
    repairs: ({ postgres }) => postgres.disk.free(),
  },
  {
    name: 'doctor-finding',
    mayFail: [],
    alert: ['BrandportDoctorFindings', 'warning'],
    breaks: async (kit) => {
      const { brandId } = await seedBrand(kit.api, 'Damaged');
      const damage = `insert into brand_catalogs (brand_id, version, changed_at, products_total) values ($1, 1, now(), 7)
        on conflict (brand_id) do update set products_total = 7`;
      await kit.postgres.sql(damage, 'brandport', [brandId]);
      assert.ok((await examine(kit)) > 0);
    },
    repairs: async (kit) => {
      const env = { DATABASE_URL: kit.postgres.url(), BRANDPORT_DATA_DIR: await makeDataDir() };
      const { code, stderr } = await runCommand(env, 'doctor', '--repair');
      assert.equal(code, 0, stderr);
      assert.equal(await examine(kit), 0);
    },
  },
  // The last one: older processes do not start on its database.
  {
    name: 'upgrade',
    mayFail: [],
    alert: null,
    breaks: async (kit) => {
      kit.fleet.project = await makeNewerVersion();
      await restartInTurn(kit);
    },
    repairs: nothing,
  },
];

/** Restarts all processes as docs/operations.md says, "Rolling restart". */
async function restartInTurn({ fleet }: Kit): Promise<void> {
  for (const member of fleet.members) {
    assert.equal(await fleet.end(member, 'SIGTERM'), 0);
    await fleet.launch(member);
    await sleep(settleMs);
  }
}

/** Runs the doctor over the internal surface and returns the number of differences. */
async function examine({ api }: Kit): Promise<number> {
  const { json } = await api.admin.post('/doctor-runs');
  return waitFor(
    'the run of the doctor',
    async () => {
      const run = (await api.admin.get('/doctor-runs?per_page=1')).json.data[0];
      return run.id === json.id && run.state === 'completed' ? { found: run.found as number } : null;
    },
    120_000,
  ).then(({ found }) => found);
}

/** Selects drills by names, separated by commas; `short`: those of the ring, `all`: each. @throws Error for another name */
export function selectDrills(names: string): readonly Drill[] {
  const isRoot = process.getuid?.() === 0;
  const possible = drills.filter(({ needsRoot }) => isRoot || needsRoot !== true);
  if (names === 'all') return possible;
  if (names === 'short') return possible.filter(({ isShort }) => isShort);
  return names.split(',').map((name) => {
    const drill = possible.find((one) => one.name === name);
    if (drill === undefined)
      throw new Error(`no drill ${name}: ${possible.map((one) => one.name).join(', ')}`);
    return drill;
  });
}
