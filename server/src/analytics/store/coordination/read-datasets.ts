import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Day } from '../../day.ts';
import { type DatasetName, datasetNames } from '../aggregation-types.ts';
import type {
  ChangeCause,
  ChangedDays,
  DatasetState,
  DatasetStates,
  SinceRevisions,
} from '../dataset-changes.ts';
import { replacedRevision } from './revision-store.ts';

interface StateRow extends Omit<DatasetState, 'revision' | 'changed'> {
  readonly dataset: DatasetName;
  readonly revision: number | null;
  /** [day, revision, cause] of one day more than were asked for; null if no revision was asked for. */
  readonly changed: [Day, number, ChangeCause][] | null;
}

/**
 * The state of each dataset, with the days that changed after the revision of `since`, at most `limit`. From one snapshot: three
 * entries of an index for each dataset, and changed days by revision.
 */
export async function readDatasets(
  database: Queryable,
  brandId: number,
  since: SinceRevisions,
  limit: number,
): Promise<DatasetStates> {
  const rows = await database.run(
    statement<StateRow>(
      'read_datasets',
      `select n.dataset, f."latestDay", f."oldestDay", l.revision, l.refreshed_at as "refreshedAt", c.changed
       from unnest($2::text[], $3::bigint[]) as n (dataset, since)
       cross join lateral (
         select to_char(max(r.day), 'YYYY-MM-DD') as "latestDay", to_char(min(r.day), 'YYYY-MM-DD') as "oldestDay"
         from analytics.dataset_revisions r where r.brand_id = $1 and r.dataset = n.dataset
       ) f
       left join lateral (
         select r.revision, r.refreshed_at from analytics.dataset_revisions r
         where r.brand_id = $1 and r.dataset = n.dataset
         order by r.revision desc limit 1
       ) l on true
       cross join lateral (
         select case when n.since is not null then coalesce(json_agg(json_build_array(d.day, d.revision, d.cause)), '[]') end
           as changed
         from (
           select to_char(r.day, 'YYYY-MM-DD') as day, r.revision,
             case when ${replacedRevision('r')} > n.since then 'aggregated'
               when r.exclusion_revision > n.since then 'exclusion'
               when r.directory_revision > n.since then 'directory'
               else 'corrected' end as cause
           from analytics.dataset_revisions r
           where r.brand_id = $1 and r.dataset = n.dataset and r.revision > n.since
           order by r.revision limit $4::integer + 1
         ) d
       ) c`,
      [brandId, datasetNames, datasetNames.map((name) => since[name] ?? null), limit],
      { long: true },
    ),
  );
  return Object.fromEntries(
    rows.map(({ dataset, changed, ...row }) => {
      const revision = row.revision ?? 0;
      const days = changed && changedDays(changed, (since[dataset] ?? 0) <= revision, limit);
      return [dataset, { ...row, revision, changed: days }];
    }),
  ) as Record<DatasetName, DatasetState>;
}

function changedDays(
  read: readonly [Day, number, ChangeCause][],
  isReached: boolean,
  limit: number,
): ChangedDays {
  const days = read.slice(0, limit).map(([day, revision, cause]) => ({ day, revision, cause }));
  days.sort((a, b) => (a.day < b.day ? -1 : 1));
  return { days, isComplete: isReached && read.length <= limit };
}
