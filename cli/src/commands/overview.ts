import type { Overview } from '@brandport/client/admin';
import type { CliContext } from '../context/cli-context.ts';
import type { Define } from './command.ts';

export const defineOverview: Define = (command, run) => {
  command.action(() => run(showOverview));
};

async function showOverview(context: CliContext): Promise<undefined> {
  const { lookups } = await context.admin();
  const overview = await lookups.overview({ signal: context.signal });
  context.output.item(overview, { id: ({ version }) => version, fields: linesOf });
}

function linesOf({ feeds, datasets, keys, doctor, ...rest }: Overview): [string, unknown][] {
  const { last_run: lastRun } = datasets;
  return [
    ['version', rest.version],
    ['role', rest.role],
    ['database', rest.database],
    ['analytics store', rest.analytics],
    ['redis', rest.redis],
    ['feeds that wait', feeds.queued],
    ['feeds being applied', feeds.processing],
    ['oldest feed, seconds', feeds.oldest_age_seconds],
    ['lines that wait', feeds.waiting_lines],
    ['lines a second', feeds.lines_per_second],
    ['failed feeds, 24 hours', feeds.failed_24h],
    ['failed lines left, 24 hours', feeds.refused_lines_24h],
    ['failed jobs, 24 hours', rest.jobs.failed_24h],
    [
      'alerts that do not arrive',
      rest.concerns.find(({ kind }) => kind === 'alerts_undelivered')?.count ?? 0,
    ],
    ['brands behind', datasets.brands_behind],
    ['days with late events', datasets.dirty_days],
    ['last nightly run', lastRun === null ? null : `${lastRun.state} ${lastRun.finished_at ?? ''}`.trim()],
    ['keys expiring, 30 days', keys.expiring_30d],
    ['keys unused, 90 days', keys.unused_90d],
    ['keys overlapping', keys.overlaps],
    ['refused requests, 24 hours', rest.refusals.last_24h],
    ['keys with refused requests', rest.refusals.keys],
    ['denials, last hour', rest.limits.denials_1h],
    ['differences of the doctor', doctor?.found ?? null],
  ];
}
