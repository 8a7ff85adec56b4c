import { dayNumberOf, daysOf } from '../../../../server/src/analytics/day.ts';
import { datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import type { Database, Queryable } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { ClickHouse } from './clickhouse.ts';
import { shapes } from './dataset-shape.ts';
import { forgetLearners, listLeftLearners } from './hidden-learner-store.ts';
import { integer, listOf, monthOf, writeNumber } from './literals.ts';
import { forgetRows, listExpiredRows } from './published-store.ts';

/** The number that one statement deletes. */
const learnersAtOnce = 1_000;
const generationsAtOnce = 500;
const batchesAtOnce = 1_000;

/**
 * See `AnalyticsEngine.upkeep`. Deletes what erased learners, interrupted writes and replaced days have left. Each step can be
 * repeated: PostgreSQL forgets what is to be deleted after ClickHouse has deleted it.
 */
export async function keepUp(jobs: Database, clickHouse: ClickHouse): Promise<{ done: string[] }> {
  const done: string[] = [];
  const learners = await deleteLearners(jobs, clickHouse);
  if (learners > 0) done.push(`erased learners deleted: ${learners}`);
  const orphans = await sealBatches(jobs, clickHouse);
  if (orphans > 0) done.push(`batches of interrupted requests deleted: ${orphans}`);
  const generations = await deleteExpiredRows(jobs, clickHouse);
  if (generations > 0) done.push(`replaced or interrupted aggregations deleted: ${generations}`);
  return { done };
}

async function deleteLearners(jobs: Database, clickHouse: ClickHouse): Promise<number> {
  const learners = await listLeftLearners(jobs, learnersAtOnce);
  if (learners.length === 0) return 0;
  const below = (number: string) =>
    learners
      .map(
        ({ brandId, learnerId, before }) =>
          `(brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)} and ${number} < ${integer(before)})`,
      )
      .join(' or ');
  for (const table of datasetNames.filter((name) => shapes[name].keys.includes('user_id')))
    await clickHouse.run(`delete from ${table} where ${below('generation')}`);
  await clickHouse.run(`delete from learning_events where ${below('batch')}`);
  await jobs.transaction((tx) => forgetLearners(tx, learners));
  return learners.length;
}

async function deleteExpiredRows(jobs: Database, clickHouse: ClickHouse): Promise<number> {
  let deleted = 0;
  for (;;) {
    const expired = await listExpiredRows(jobs, generationsAtOnce);
    if (expired.length === 0) return deleted;
    const days = expired.flatMap((rows) => daysOf(rows).map((day) => ({ ...rows, day })));
    const months = listOf([...new Set(days.map(({ day }) => monthOf(day)))]);
    const rows = days.map(
      ({ brandId, day, generation }) => `(${integer(brandId)}, ${dayNumberOf(day)}, ${integer(generation)})`,
    );
    for (const table of datasetNames)
      await clickHouse.run(
        `delete from ${table} where month in ${months} and (brand_id, day, generation) in (${rows.join(', ')})`,
      );
    await jobs.transaction((tx) => forgetRows(tx, expired));
    deleted += expired.length;
  }
}

/**
 * Deletes the events of batches that were not committed within the grace period, and then declares that all batches so far are
 * committed, so that their list stays short. Returns the number of orphans.
 */
async function sealBatches(jobs: Database, clickHouse: ClickHouse): Promise<number> {
  const sealable = await findSealable(jobs);
  if (sealable === null) return 0;
  const { sealedBefore, cutoff, committed } = sealable;
  const known = new Set(committed);
  const found = await clickHouse.numbers(
    `select distinct batch from learning_events where batch >= ${integer(sealedBefore)} and batch < ${integer(cutoff)}`,
  );
  const orphans = found.filter((batch) => !known.has(batch));
  for (let start = 0; start < orphans.length; start += batchesAtOnce)
    await clickHouse.run(
      `delete from learning_events where batch in ${listOf(orphans.slice(start, start + batchesAtOnce))}`,
    );
  await jobs.transaction((tx) =>
    tx.run(
      statement<never>(
        'seal_event_batches',
        // A batch before the cutoff can no longer be recorded.
        `with sealed as (
           update analytics.clickhouse_store set sealed_before = greatest(sealed_before, $1)
         )
         delete from analytics.event_batches where batch < $1`,
        [cutoff],
      ),
    ),
  );
  return orphans.length;
}

/** The batches between the last seal and the grace period, which is a multiple of what any request may take. */
interface SealableBatches {
  readonly sealedBefore: number;
  readonly cutoff: number;
  readonly committed: readonly number[];
}

/** Returns null if the store has no events in ClickHouse yet. */
async function findSealable(database: Queryable): Promise<SealableBatches | null> {
  const rows = await database.run(
    statement<SealableBatches>(
      'find_sealable_batches',
      // The cutoff is without the bits of a transaction: the least number of its millisecond.
      `select s.sealed_before as "sealedBefore", c.cutoff, (
         select coalesce(json_agg(distinct b.batch), '[]') from analytics.event_batches b where b.batch < c.cutoff
       ) as committed
       from analytics.clickhouse_store s
       cross join lateral (
         select greatest(s.sealed_before, ${writeNumber(`clock_timestamp() - interval '40 minutes'`)} / 8192 * 8192) as cutoff
       ) as c`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}
