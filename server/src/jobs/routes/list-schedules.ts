import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import type { ScheduledJob } from '../job.ts';
import { LastRunWire, lastRunToWire } from '../last-run-wire.ts';
import { type LastRun, listLastRuns } from '../queries/last-runs.ts';
import { scheduledJobs } from '../registry.ts';

export const ScheduleWire = Type.Object({
  queue: Type.String({ description: 'The kind of work, as in jobs.' }),
  cron: Type.String({ description: 'Minute, hour, day of the month, month, day of the week; UTC.' }),
  next_run_at: Timestamp(),
  last_run: Nullable(LastRunWire, {
    description:
      'The last job of the schedule. null: none was queued yet, or it was deleted a day after it was completed.',
  }),
});

const scheduleExample: Static<typeof ScheduleWire> = {
  queue: 'aggregate-days',
  cron: '5 0 * * *',
  next_run_at: '2026-03-02T00:05:00.000Z',
  last_run: {
    job_id: exampleIds.job,
    state: 'completed',
    started_at: '2026-03-01T00:05:00.400Z',
    finished_at: '2026-03-01T00:05:09.412Z',
    error: null,
  },
};

export const listSchedulesOperation = readOperation({
  id: 'listSchedules',
  method: 'GET',
  path: '/schedules',
  tag: 'Feeds and jobs',
  summary: 'List schedules',
  description:
    'Lists the jobs that run on a schedule, with the last run and the next one. A time that was missed because no worker ran is made up for once. `make-backup` runs only if a worker has a directory for backups, `send-alerts` only if one has a webhook.',
  access: 'administrators',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of schedules.',
      schema: listOf(ScheduleWire),
      example: exampleListOf(scheduleExample),
    },
  },
  handle: async ({ database, jobs, clock }, { query }) => {
    const page = pageOf(query);
    const lastRuns = new Map((await listLastRuns(database)).map((run) => [run.queue, run]));
    const now = new Date(clock.now());
    const data = scheduledJobs
      .slice(page.offset, page.offset + page.size)
      .map((job) => scheduleToWire(job, lastRuns.get(job.name), jobs.nextTimeOf(job.cron, now)));
    return { status: 200, body: { data, meta: pageMeta(page, scheduledJobs.length) } };
  },
});

function scheduleToWire(
  { name, cron }: ScheduledJob,
  last: LastRun | undefined,
  next: Date,
): Static<typeof ScheduleWire> {
  return {
    queue: name,
    cron,
    next_run_at: next.toISOString(),
    last_run: last === undefined ? null : lastRunToWire(last),
  };
}
