import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** Added to the greatest revision, if the clock is behind it. */
const leastRise = 1_000_000;

/** The outcome of `raiseRevisions`. */
export interface RaisedRevisions {
  /** The revision that all days have now. */
  readonly revision: number;
  /** Days, counted once for each dataset. */
  readonly days: number;
}

/**
 * Raises the revision of every dataset of every brand above all that clients may have seen, and marks all its days as changed
 * there [analytics-50] [D298]: after a restore, revisions would repeat for other rows. The revision is the time in
 * milliseconds since 1970, so that two restores of one backup give different ones. One transaction; waits for running
 * aggregations, and the next ones wait for it.
 */
export function raiseRevisions(database: Database): Promise<RaisedRevisions> {
  return database.transaction(async (tx) => {
    tx.queue(
      statement<never>(
        'lock_revisions',
        'lock table analytics.dataset_revisions in share row exclusive mode',
      ),
    );
    const [raised] = await tx.run(
      statement<RaisedRevisions>(
        'raise_revisions',
        `with raised as (
           insert into analytics.revision_floor as f (revision)
           select greatest(
             (extract(epoch from clock_timestamp()) * 1000)::bigint,
             coalesce((select max(r.revision) from analytics.dataset_revisions r), 0) + $1::bigint,
             coalesce((select e.revision from analytics.revision_floor e), 0) + $1::bigint
           )
           on conflict (is_only) do update set revision = excluded.revision
           returning f.revision
         ), moved as (
           update analytics.dataset_revisions d
           set revision = raised.revision, aggregated_revision = raised.revision, refreshed_at = clock_timestamp()
           from raised
           returning 1
         )
         select (select revision from raised) as revision, (select count(*) from moved)::integer as days`,
        [leastRise],
        { long: true },
      ),
    );
    return raised as RaisedRevisions;
  });
}
