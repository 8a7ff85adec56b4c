import { type Day, type DayRange, dayNumberOf } from '../../../../server/src/analytics/day.ts';
import { datasetsOf, shapeOf } from '../../../../server/src/analytics/store/datasets.ts';
import type { MarkedDay } from '../../../../server/src/analytics/store/days-store.ts';
import type { ErasedCounts, LearningEvent } from '../../../../server/src/analytics/store/engine.ts';
import type { Queryable } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import { advisoryLocks, type Transaction } from '../../../../server/src/postgres/transaction.ts';
import type { ClickHouse } from './clickhouse.ts';
import { hideLearner, listHidden, notHidden, withoutHidden } from './hidden-learner-store.ts';
import { listPublished, publishedOf } from './published-store.ts';
import { eventColumns, integer, listOf, monthOf, writeNumber } from './schema.ts';

const columns = Object.keys(eventColumns);

/** Ids of events that are deleted at once. */
const claimChunk = 50_000;

/**
 * See `AnalyticsEngine.appendEvents`. Claims the ids, inserts the events under the number of a batch, and records the batch,
 * which becomes visible with the commit. The upkeep deletes batches that were never committed.
 */
export async function appendEvents(
  tx: Transaction,
  clickHouse: ClickHouse,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<MarkedDay[]> {
  if (events.length === 0) return [];
  // An erasure waits for batches that have begun.
  tx.queue(
    statement<never>('join_event_writers', 'select pg_advisory_xact_lock_shared($1, $2)', [
      advisoryLocks.events,
      brandId,
    ]),
  );
  const { batch, positions } = await claimEvents(tx, brandId, events);
  const added = positions === null ? events : positions.map((position) => events[position] as LearningEvent);
  if (added.length === 0) return [];
  await clickHouse.insert('learning_events', columns, eventLines(brandId, batch, added));
  const days = new Map<string, number>();
  for (const { day } of added) days.set(day, (days.get(day) ?? 0) + 1);
  await recordBatch(tx, brandId, batch, [...days.keys()]);
  return [...days].map(([day, count]) => ({ day, added: count }));
}

/**
 * See `AnalyticsEngine.eraseLearner`. The commit hides the learner's events and rows, and frees the ids of the events. The
 * upkeep deletes them in ClickHouse [D194]. What `analytics copy` left of the learner in PostgreSQL is gone with the commit.
 */
export async function eraseLearner(
  tx: Transaction,
  clickHouse: ClickHouse,
  brandId: number,
  learnerId: number,
): Promise<ErasedCounts> {
  await tx.run(
    statement<never>('exclude_event_writers', 'select pg_advisory_xact_lock($1, $2)', [
      advisoryLocks.events,
      brandId,
    ]),
  );
  // Ids that were freed by an earlier erasure may have been used again since.
  const hidden = await listHidden(tx, brandId);
  const left = withoutHidden(hidden);
  // Hexadecimal: an id may contain any character.
  const rows = await clickHouse.rows(
    `select lower(hex(event_id)) as id from learning_events
     where brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)} and ${await committedBatches(tx, brandId)}${left}`,
  );
  const ids = rows.map(([id = '']) => Buffer.from(id, 'hex').toString('utf8'));
  for (let start = 0; start < ids.length; start += claimChunk)
    await tx.run(
      statement<never>(
        'delete_event_claims',
        'delete from analytics.event_claims where brand_id = $1 and event_id = any($2::text[])',
        [brandId, ids.slice(start, start + claimChunk)],
      ),
    );
  let rowsOfDatasets = 0;
  for (const dataset of datasetsOf('learner')) {
    const published = publishedOf(await listPublished(tx, brandId, dataset));
    if (published === null) continue;
    const [counted] = await clickHouse.rows(
      `select count() from ${dataset} where brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)} and ${published}${notHidden(shapeOf(dataset), hidden)}`,
    );
    rowsOfDatasets += Number(counted?.[0] ?? 0);
  }
  await hideLearner(tx, brandId, learnerId);
  for (const table of ['learning_events', ...datasetsOf('learner')]) {
    const text = `delete from analytics.${table} where brand_id = $1 and user_id = $2`;
    await tx.run(statement<never>(`erase_copied_rows/${table}`, text, [brandId, learnerId]));
  }
  return { events: ids.length, rows: rowsOfDatasets };
}

/** Claims of event ids: the number of the batch, and the positions of the given events that are new. */
interface ClaimedEvents {
  readonly batch: number;
  /** null: all. Ascending. */
  readonly positions: readonly number[] | null;
}

/** Claims ids in sorted order, so that calls with common ids do not deadlock. Each id is given once. */
async function claimEvents(
  tx: Transaction,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<ClaimedEvents> {
  const rows = await tx.run(
    statement<ClaimedEvents>(
      'claim_learning_events',
      `with given as materialized (
         select event_id, date '1970-01-01' + day_number as day, position - 1 as position
         from unnest($2::text[], $3::integer[]) with ordinality as e (event_id, day_number, position)
       ),
       claimed as (
         insert into analytics.event_claims (brand_id, event_id, day)
         select $1, event_id, day from given order by event_id collate "C"
         on conflict do nothing
         returning event_id
       )
       select ${writeNumber()} as batch,
         case when (select count(*) from claimed) < cardinality($2::text[]) then (
           select coalesce(array_agg(position::integer order by position), '{}') from given
           where event_id in (select event_id from claimed)
         ) end as positions`,
      [brandId, events.map(({ eventId }) => eventId), events.map(({ day }) => dayNumberOf(day))],
    ),
  );
  return rows[0] as ClaimedEvents;
}

/**
 * Records that a batch counts, once this transaction has committed.
 * @throws Error if the transaction took so long that the batch may have been deleted as an orphan
 */
async function recordBatch(
  tx: Transaction,
  brandId: number,
  batch: number,
  days: readonly Day[],
): Promise<void> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'record_event_batch',
      `insert into analytics.event_batches (brand_id, day, batch)
       select $1, day, $2 from unnest($3::date[]) as d (day)
       where $2::bigint >= (select sealed_before from analytics.clickhouse_store)
       returning to_char(day, 'YYYY-MM-DD') as day`,
      [brandId, batch, days],
    ),
  );
  if (rows.length < days.length) throw new Error('the batch of events was stored too late to count');
}

/** Returns a condition on events of the brand: their batch is committed. Without a range, of any day. */
export async function committedBatches(
  database: Queryable,
  brandId: number,
  range: DayRange | null = null,
): Promise<string> {
  const rows = await database.run(
    statement<{ sealed_before: number; batches: number[] }>(
      'list_committed_batches',
      `select s.sealed_before, (
         select coalesce(json_agg(distinct b.batch), '[]') from analytics.event_batches b
         where b.brand_id = $1 and ($2::date is null or b.day between $2::date and $3::date)
       ) as batches
       from analytics.clickhouse_store s`,
      [brandId, range?.from ?? null, range?.to ?? null],
    ),
  );
  const { sealed_before, batches } = rows[0] ?? { sealed_before: 0, batches: [] };
  if (batches.length === 0) return `batch < ${integer(sealed_before)}`;
  return `(batch < ${integer(sealed_before)} or batch in ${listOf(batches)})`;
}

/** Encodes the events of a batch as lines of tab-separated values, in the order of `eventColumns`. */
export function eventLines(brandId: number, batch: number, events: readonly LearningEvent[]): string {
  const days = new Map<Day, string>();
  const dayColumns = (day: Day): string => {
    const known = days.get(day) ?? `${brandId}\t${monthOf(day)}\t${dayNumberOf(day)}\t${batch}\t`;
    days.set(day, known);
    return known;
  };
  let lines = '';
  for (const event of events) {
    const { progress, score, questions, answered, marketId } = event;
    lines += `${dayColumns(event.day)}${escaped(event.eventId)}\t${event.occurredAt.getTime()}\t${event.kind}\t${event.learnerId}\t${
      event.contentRefId
    }\t${escaped(event.contentType)}\t${marketId ?? nothing}\t${decimal(progress)}\t${decimal(score)}\t${
      questions ?? nothing
    }\t${answered ?? nothing}\t${event.timeSpentSeconds}\t${event.xpEarned}\n`;
  }
  return lines;
}

const nothing = '\\N';
const special = /[\\\t\n\r\b\f\0]/g;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0',
};

function escaped(text: string): string {
  return text.replace(special, (character) => escapes[character] as string);
}

/** A decimal without an exponent, which ClickHouse does not read. */
function decimal(value: number | null): string {
  if (value === null) return nothing;
  const text = String(value);
  return text.includes('e') ? value.toFixed(6) : text;
}
