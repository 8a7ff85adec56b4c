import type { Day, DayRange } from '../../../../server/src/analytics/day.ts';
import {
  type DatasetName,
  datasetNames,
  type WindowState,
} from '../../../../server/src/analytics/store/datasets.ts';
import {
  type WindowRow,
  windowColumns,
  windowState,
} from '../../../../server/src/analytics/store/revisions-store.ts';
import type { Database, Queryable } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { type HiddenLearner, hiddenColumn } from './hidden-learner-store.ts';
import { numberFor, writeNumber } from './schema.ts';

/** The published generation of each day of a dataset: `days`, counted from 1970-01-01, and `generations` have one order. */
export interface Published {
  readonly days: readonly number[];
  readonly generations: readonly number[];
}

const publishedColumn = (where: string) => `(
    select json_build_object(
      'days', coalesce(json_agg(p.day - date '1970-01-01'), '[]'), 'generations', coalesce(json_agg(p.generation), '[]')
    ) from analytics.published_generations p where p.brand_id = $1 and ${where}
  ) as published`;

/** Reads what is published of the days from `from` to `to`; without them, of all days. */
export async function listPublished(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
  { from = '-infinity', to = 'infinity' }: { readonly from?: Day; readonly to?: Day } = {},
): Promise<Published> {
  const rows = await database.run(
    statement<{ published: Published }>(
      'list_published_generations',
      `select ${publishedColumn('p.dataset = $2 and p.day between $3::date and $4::date')}`,
      [brandId, dataset, from, to],
    ),
  );
  return (rows[0] as { published: Published }).published;
}

/** A condition that keeps the published rows; null if there are none. The index does not evaluate it [D193]. */
export function publishedOf({ days, generations }: Published): string | null {
  if (days.length === 0) return null;
  return `generation = ${numberFor('day', days, generations)}`;
}

/** The state that a page needs before it reads rows. */
export interface PublishedWindow {
  readonly window: WindowState;
  /** Covers the days up to the end of the window: a page adds up its keys. */
  readonly published: Published;
  readonly hidden: readonly HiddenLearner[];
}

/**
 * Reads the state of a window and what is published, from one snapshot. Rows are immutable and stay for a while after they were
 * replaced, so a page that reads them afterwards is of that snapshot too.
 */
export async function readPublishedWindow(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
  { from, to }: DayRange,
): Promise<PublishedWindow> {
  const rows = await database.run(
    statement<WindowRow & Omit<PublishedWindow, 'window'>>(
      `read_published_window/${dataset}`,
      `select ${windowColumns(dataset).join(', ')}, ${hiddenColumn},
         ${publishedColumn(`p.dataset = '${dataset}' and p.day <= $3::date`)}`,
      [brandId, from, to],
      { long: true },
    ),
  );
  const { published, hidden } = rows[0] as (typeof rows)[number];
  return { window: windowState(rows), published, hidden };
}

/**
 * Begins a generation for a range of days, and returns its number. Commit it at once, so that rows that a crash leaves behind
 * are found. The caller holds the lock of the brand's datasets in another transaction.
 */
export async function beginGeneration(
  tx: Transaction,
  brandId: number,
  { from, to }: DayRange,
): Promise<number> {
  const rows = await tx.run(
    statement<{ generation: number }>(
      'begin_generation',
      `insert into analytics.unpublished_generations (brand_id, generation, from_day, to_day, since)
       values ($1, ${writeNumber()}, $2::date, $3::date, clock_timestamp())
       returning generation`,
      [brandId, from, to],
    ),
  );
  return (rows[0] as { generation: number }).generation;
}

/**
 * Publishes the rows that a generation has of the range in all datasets, instead of those that are published.
 * @throws Error if they were deleted meanwhile, because the caller seemed to be gone
 */
export async function publishGeneration(
  tx: Transaction,
  brandId: number,
  generation: number,
  { from, to }: DayRange,
): Promise<void> {
  const begun = await tx.run(
    statement<{ generation: number }>(
      'end_generation',
      'delete from analytics.unpublished_generations where brand_id = $1 and generation = $2 returning generation',
      [brandId, generation],
    ),
  );
  if (begun.length === 0) throw new Error(`generation ${generation} was given up by the upkeep`);
  await tx.run(
    statement<never>(
      'publish_generation',
      // Within the range, all that an earlier generation has is replaced.
      `with replaced as (
         insert into analytics.unpublished_generations (brand_id, generation, from_day, to_day, since)
         select $1, generation, min(day), max(day), clock_timestamp() from analytics.published_generations
         where brand_id = $1 and day between $3::date and $4::date
         group by generation
         on conflict do nothing
       )
       insert into analytics.published_generations (brand_id, dataset, day, generation)
       select $1, dataset, $3::date + n, $2
       from unnest($5::text[]) as dataset cross join generate_series(0, $4::date - $3::date) as n
       on conflict (brand_id, dataset, day) do update set generation = excluded.generation`,
      [brandId, generation, from, to, datasetNames],
    ),
  );
}

/** Rows that nobody reads: of an aggregation that has begun, or replaced by a later one. */
export interface UnpublishedRows {
  readonly brandId: number;
  readonly generation: number;
  readonly from: Day;
  readonly to: Day;
}

/** Lists rows that were replaced, or begun and not published, before a time. */
export async function listUnpublishedBefore(database: Queryable, time: Date): Promise<UnpublishedRows[]> {
  return database.run(
    statement<UnpublishedRows>(
      'list_generations_unpublished_before',
      `select brand_id as "brandId", generation, to_char(from_day, 'YYYY-MM-DD') as from, to_char(to_day, 'YYYY-MM-DD') as to
       from analytics.unpublished_generations where since < $1 order by since`,
      [time],
      { long: true },
    ),
  );
}

/** Forgets the rows of `listUnpublishedBefore`, which are deleted. */
export async function forgetUnpublishedBefore(database: Database, time: Date): Promise<void> {
  await database.transaction((tx) =>
    tx.run(
      statement<never>(
        'forget_generations_unpublished_before',
        'delete from analytics.unpublished_generations where since < $1',
        [time],
      ),
    ),
  );
}

/** Has the upkeep delete rows that nothing reads, as a restore of an earlier PostgreSQL leaves them. */
export async function noteUnread(
  tx: Transaction,
  brandId: number,
  rows: readonly { readonly generation: number; readonly day: Day }[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'note_unread_generations',
      `insert into analytics.unpublished_generations (brand_id, generation, from_day, to_day, since)
       select $1, generation, day, day, clock_timestamp() from unnest($2::bigint[], $3::date[]) as u (generation, day)
       on conflict do nothing`,
      [brandId, rows.map(({ generation }) => generation), rows.map(({ day }) => day)],
    ),
  );
}
