import { dayNumberOf, daysOf } from '../../../../server/src/analytics/day.ts';
import { datasetNames, datasetsOf } from '../../../../server/src/analytics/store/datasets.ts';
import type { Database, Queryable } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { ClickHouse } from './clickhouse.ts';
import { forgetHiddenBefore, listHiddenBefore } from './hidden-learner-store.ts';
import { forgetUnpublishedBefore, listUnpublishedBefore } from './published-store.ts';
import { integer, listOf, monthOf, writeNumber } from './schema.ts';

/** An erased learner is deleted once no page is read that began before. */
const hiddenMs = 5 * 60_000;
/** So long, a later copy of ClickHouse has all that an earlier one of PostgreSQL refers to [D205]. */
const unpublishedMs = 24 * 3_600_000;

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
  // The times in the tables are PostgreSQL's.
  const [clock] = await jobs.run(
    statement<{ now: Date }>('read_upkeep_clock', 'select clock_timestamp() as now'),
  );
  const before = (ms: number) => new Date(Number(clock?.now) - ms);
  const learners = await deleteLearners(jobs, clickHouse, before(hiddenMs));
  if (learners > 0) done.push(`erased learners deleted: ${learners}`);
  const orphans = await sealBatches(jobs, clickHouse);
  if (orphans > 0) done.push(`batches of interrupted requests deleted: ${orphans}`);
  const generations = await deleteUnpublished(jobs, clickHouse, before(unpublishedMs));
  if (generations > 0) done.push(`replaced or interrupted aggregations deleted: ${generations}`);
  return { done };
}

async function deleteLearners(jobs: Database, clickHouse: ClickHouse, time: Date): Promise<number> {
  const learners = await listHiddenBefore(jobs, time);
  for (const some of chunks(learners, learnersAtOnce)) {
    const below = (number: string) =>
      some
        .map(
          ({ brandId, learnerId, before }) =>
            `(brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)} and ${number} < ${integer(before)})`,
        )
        .join(' or ');
    for (const table of datasetsOf('learner'))
      await clickHouse.run(`delete from ${table} where ${below('generation')}`);
    await clickHouse.run(`delete from learning_events where ${below('batch')}`);
  }
  if (learners.length > 0) await forgetHiddenBefore(jobs, time);
  return learners.length;
}

async function deleteUnpublished(jobs: Database, clickHouse: ClickHouse, time: Date): Promise<number> {
  const expired = await listUnpublishedBefore(jobs, time);
  for (const some of chunks(expired, generationsAtOnce)) {
    const days = some.flatMap((rows) => daysOf(rows).map((day) => ({ ...rows, day })));
    const months = listOf([...new Set(days.map(({ day }) => monthOf(day)))]);
    const rows = days.map(
      ({ brandId, day, generation }) => `(${integer(brandId)}, ${dayNumberOf(day)}, ${integer(generation)})`,
    );
    for (const table of datasetNames)
      await clickHouse.run(
        `delete from ${table} where month in ${months} and (brand_id, day, generation) in (${rows.join(', ')})`,
      );
  }
  if (expired.length > 0) await forgetUnpublishedBefore(jobs, time);
  return expired.length;
}

function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
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
  for (const some of chunks(orphans, batchesAtOnce))
    await clickHouse.run(`delete from learning_events where batch in ${listOf(some)}`);
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

/** The bytes of all tables on disk. */
export async function readBytes(clickHouse: ClickHouse): Promise<number> {
  const [bytes = 0] = await clickHouse.numbers(
    'select sum(bytes_on_disk) as bytes from system.parts where database = currentDatabase() and active',
  );
  return bytes;
}
