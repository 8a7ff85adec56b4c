import type { BrandReach } from '../api/access.ts';
import type { Page } from '../api/pagination.ts';
import { orderOf, type Sort } from '../api/sort.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';
import { queueNames } from './job.ts';
import { type Job, type JobFilter, jobColumns, jobConditions } from './job-store.ts';

const messageOf = (job: string) =>
  `coalesce(${job}.output ->> 'message', ${job}.output -> 'value' ->> 'message', '')`;

const mostCharacters = 300;

/** Returns the SQL of what failures for the same reason have in common: the error without ids and numbers. */
export const reasonOf = (job: string) =>
  `regexp_replace(left(${messageOf(job)}, ${mostCharacters}),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]+', '#', 'g')`;

/** Selects failures to send an alert: the overview counts the alerts that do not arrive instead. */
export const isUndeliveredAlert = (job: string) =>
  `(${job}.name = 'send-alerts' and ${messageOf(job)} like 'alert % was not delivered%')`;

/** Jobs of one queue that failed for the same reason. */
export interface JobFailures {
  readonly queue: string;
  /** The error of the last one. */
  readonly error: string | null;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The last one. */
  readonly jobId: string;
}

const shownFailures = 20;

/** Lists jobs that failed since a time, by queue and reason, the last failure first. */
export function listJobFailures(
  database: Queryable,
  brandIds: BrandReach,
  since: Date,
): Promise<JobFailures[]> {
  return database.run(
    statement<JobFailures>(
      'list_job_failures',
      `select j.name as queue, (array_agg(nullif(${messageOf('j')}, '') order by j.completed_on desc, j.id))[1] as error,
         count(*) as count, min(j.completed_on) as "firstAt", max(j.completed_on) as "lastAt",
         (array_agg(j.id order by j.completed_on desc, j.id))[1] as "jobId"
       from pgboss.job j
       where j.state = 'failed' and j.completed_on > $1::timestamptz and j.name = any($3::text[])
         and ($2::integer[] is null or (j.data ->> 'brand_id')::integer = any($2::integer[]))
       group by j.name, ${reasonOf('j')}
       order by "lastAt" desc, j.name, "jobId" limit ${shownFailures}`,
      [since, brandIds, queueNames],
      { long: true },
    ),
  );
}

/** A job, or the last of those that failed for the same reason, with their number. */
export interface JobGroup extends Job {
  readonly count: number;
  /** When they failed; of a job that has not, when it was created. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The columns of groups `g` and the last job of each, `o`. */
export const jobGroupSortColumns = {
  last_at: 'g.last_at',
  count: 'g.count',
  retries: 'o.retries',
  next_run_at: 'o."nextRunAt"',
} as const;

export type JobGroupSort = Sort<keyof typeof jobGroupSortColumns>;

/** The jobs that are grouped at most. */
export const mostGroupedJobs = 20_000;

/**
 * Lists one page of the jobs that match, those of a queue that failed for the same reason as one row, the newest first unless
 * sorted, and counts the rows. The newest 20,000 that match are grouped.
 */
export async function listJobGroups(
  database: Queryable,
  filter: JobFilter,
  page: Page,
  sort?: JobGroupSort,
): Promise<{ rows: JobGroup[]; total: number }> {
  const where = jobConditions(filter);
  const groups = `(
    select n.name, count(*) as count, min(n.at) as first_at, max(n.at) as last_at,
      (array_agg(n.id order by n.at desc, n.id))[1] as id
    from (
      select j.name, j.id, case when j.state = 'failed' then coalesce(j.completed_on, j.created_on) else j.created_on end as at,
        case when j.state = 'failed' then ${reasonOf('j')} else j.id::text end as reason, j.state = 'failed' as has_failed
      from (
        select name, id, state, output, created_on, completed_on from pgboss.job where ${where.sql}
        order by created_on desc limit ${mostGroupedJobs}
      ) as j
    ) as n
    group by n.name, n.has_failed, n.reason
  ) as g
  cross join lateral (select ${jobColumns} from pgboss.job where name = g.name and id = g.id) as o`;
  const { code, orderBy } = orderOf(jobGroupSortColumns, sort, 'g.last_at desc, g.id');
  const list = {
    name: `job_groups/${filter.state ?? ''}${where.code}${code}`,
    columns: `o.*, g.count, g.first_at as "firstAt", g.last_at as "lastAt"`,
    from: groups,
    where: new Conditions([], where.values),
    orderBy,
  };
  return readPage<JobGroup>(database, list, page);
}
