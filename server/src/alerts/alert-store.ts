import { doctorRunQueue } from '../doctor/doctor-run-job.ts';
import { queueNames } from '../jobs/job.ts';
import { isActive } from '../overview/concern-store.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Alert } from './alert.ts';

/** The queue of the job that sends alerts: it does not report itself. */
const alertQueue = 'send-alerts';

const keptDays = 30;

/** Brands whose datasets lack a day. */
export interface LateDatasets {
  readonly day: string;
  readonly brandIds: readonly number[];
}

/**
 * Adds an alert for each concern of the last 24 hours that has none, drops old ones, and returns the number of those added.
 * Failures count once an hour for each brand and queue. Safe to run concurrently. With 200,000 feeds, jobs and audit entries it
 * takes 2 ms, each read by an index.
 */
export async function addAlerts(database: Queryable, now: Date, late: LateDatasets | null): Promise<number> {
  const rows = await database.run(
    statement<{ added: number }>(
      'add_alerts',
      `with since as (select $1::timestamptz - interval '24 hours' as at), concerns as (
         select 'feed_failed' as kind, concat_ws('/', f.brand_id, ${hourOf('min(f.finished_at)')}) as subject,
           min(f.finished_at) as at,
           jsonb_build_object('brand_id', f.brand_id, 'feed_id', (array_agg(f.tu_id order by f.finished_at))[1]) as details
         from stock_feeds f where f.status = 'failed' and f.finished_at > (select at from since)
         group by f.brand_id, date_trunc('hour', f.finished_at, 'UTC')
         union all
         select 'job_failed', concat_ws('/', j.name, j.data ->> 'brand_id', ${hourOf('min(j.completed_on)')}),
           min(j.completed_on), jsonb_build_object('brand_id', j.data -> 'brand_id', 'queue', j.name,
             'job_id', (array_agg(j.id order by j.completed_on))[1])
         from pgboss.job j
         where j.state = 'failed' and j.name = any($2::text[]) and j.completed_on > (select at from since)
         group by j.name, j.data -> 'brand_id', j.data ->> 'brand_id', date_trunc('hour', j.completed_on, 'UTC')
         union all
         select 'doctor_found', j.id::text, j.completed_on,
           jsonb_build_object('run_id', j.id, 'differences', j.output -> 'found')
         from pgboss.job j
         where j.name = '${doctorRunQueue}' and j.state = 'completed' and j.completed_on > (select at from since)
           and (j.output ->> 'found')::integer > 0
         union all
         select 'key_expires', concat_ws('/', k.key_id, extract(epoch from k.expires_at)::bigint), $1::timestamptz,
           jsonb_build_object('brand_id', k.brand_id, 'key_id', k.key_id, 'name', k.name,
             'expires_at', to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         from api_keys k where ${isActive('k')} and k.expires_at <= $1::timestamptz + interval '7 days'
         union all
         select 'administrator_created', e.resource_id, e.at,
           jsonb_build_object('administrator_id', e.resource_id, 'name', e.details -> 'name', 'role', e.details -> 'role',
             'actor', coalesce(e.actor_name, e.actor))
         from audit_entries e where e.action = 'administrator.create' and e.at > (select at from since)
         union all
         select 'datasets_behind', $3::jsonb ->> 'day', $1::timestamptz, $3::jsonb where $3::jsonb is not null
       ), dropped as (
         delete from alerts where created_at < $1::timestamptz - interval '${keptDays} days'
       ), added as (
         insert into alerts (concern, kind, at, details, created_at, next_attempt_at)
         select c.kind || '/' || c.subject, c.kind, c.at, c.details, $1, $1 from concerns c
         where not exists (select from alerts a where a.concern = c.kind || '/' || c.subject)
         on conflict (concern) do nothing
         returning 1
       )
       select count(*) as added from added`,
      [now, queueNames.filter((name) => name !== alertQueue), late === null ? null : lateToJson(late)],
      { long: true },
    ),
  );
  return rows[0]?.added ?? 0;
}

const hourOf = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24')`;

const lateToJson = ({ day, brandIds }: LateDatasets) =>
  JSON.stringify({ day, brands: brandIds.length, brand_ids: brandIds.slice(0, 20) });

/**
 * Takes the oldest alert that is due, and sets its next attempt: 1, 2, 4 and finally 30 minutes later, for a day. So a worker
 * that is killed neither loses it nor repeats it at once. null: none is due.
 */
export async function claimAlert(database: Queryable, now: Date): Promise<Alert | null> {
  const rows = await database.run(
    statement<Alert>(
      'claim_alert',
      `with due as (
         select id, $1::timestamptz + least(30, power(2, least(attempts, 5))) * interval '1 minute' as next_at from alerts
         where next_attempt_at <= $1::timestamptz order by at, id limit 1 for update skip locked
       )
       update alerts a set attempts = a.attempts + 1,
         next_attempt_at = case when due.next_at <= a.created_at + interval '24 hours' then due.next_at end
       from due where a.id = due.id
       returning a.id, a.kind, a.at, a.details - 'brand_id' as details, case when a.details ->> 'brand_id' is not null then
           json_build_object('id', a.details -> 'brand_id', 'name',
             (select b.name from brands b where b.id = (a.details ->> 'brand_id')::integer))
         end as brand, a.next_attempt_at is null as "isLast"`,
      [now],
    ),
  );
  return rows[0] ?? null;
}

export async function markAlertSent(database: Queryable, id: string, now: Date): Promise<void> {
  await database.run(
    statement<never>(
      'mark_alert_sent',
      'update alerts set sent_at = $2, next_attempt_at = null where id = $1',
      [id, now],
    ),
  );
}
