import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, Timestamp } from '../../api/field-schemas.ts';
import { type Page, pageOf, pageQuery } from '../../api/pagination.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { addDays, countDays, type Day, type DayRange, earliestDay } from '../day.ts';
import { datasetsOf, ofDatasets, type RowCounts } from '../store/datasets.ts';
import type { DatasetDay, DayRecord } from '../store/day-lists-store.ts';

/** A hundred years. Every day of a range gets rows, so a typing error must not create a million of them. */
const maxDays = 36_525;

const dayInput = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-03-01'] });

export const AggregateDaysBody = NamedObject('AggregationCreate', {
  from: dayInput(`First day, UTC, inclusive; ${earliestDay} at the earliest.`),
  to: dayInput('Last day, UTC, inclusive; yesterday at the latest.'),
});

const RowsWire = Type.Object(ofDatasets(() => Type.Integer({ minimum: 0 })));

export const AggregationWire = NamedObject('Aggregation', {
  days: Type.Integer({
    minimum: 0,
    description: 'The aggregated days. Days whose raw events were dropped are not aggregated.',
  }),
  rows: RowsWire,
});

/** The most days that are aggregated within the request [internal-41]. */
export const maxDaysOfRequest = 31;

export const AggregationJobWire = NamedObject('AggregationJob', {
  job_id: Type.String({
    description:
      'Available at `/jobs/{id}` for 7 days after completion, with the same result as a 200 response.',
  }),
});

export const aggregationJobExample: Static<typeof AggregationJobWire> = {
  job_id: '0f7c1a52-6a0e-4f0c-9a53-3f1d2d0b7c11',
};

export const AggregatedDayWire = NamedObject('AggregatedDay', {
  date: Type.String({ format: 'date' }),
  aggregated_at: Timestamp(),
  rows: RowsWire,
  dirty: Type.Boolean({
    description: 'Events arrived after the aggregation, or a learner who was not counted has opted back in.',
  }),
});

const rowsExample = { ...ofDatasets(() => 41), daily: 3, contents: 12, users: 27 };

export const aggregationExample: Static<typeof AggregationWire> = { days: 1, rows: rowsExample };

export const aggregatedDayExample: Static<typeof AggregatedDayWire> = {
  date: '2026-03-01',
  aggregated_at: '2026-03-02T00:05:09.412Z',
  rows: rowsExample,
  dirty: false,
};

/**
 * @throws ApiError `validation_failed` for a day that is not over yet or before 2000, or a range that ends before it begins
 * [internal-40]
 */
export function aggregationRange({ from, to }: Static<typeof AggregateDaysBody>, yesterday: Day): DayRange {
  const errors = {
    ...(from > to && { from: ['must not be after `to`'] }),
    ...(from < earliestDay && { from: [`must be ${earliestDay} or later`] }),
    ...(to > yesterday && { to: [`must be yesterday (${yesterday}, UTC) or earlier`] }),
  };
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', { errors });
  if (countDays({ from, to }) > maxDays)
    throw invalidField('from', `must be at most ${maxDays - 1} days before \`to\``);
  return { from, to };
}

export function aggregatedDayToWire(record: DayRecord): Static<typeof AggregatedDayWire> {
  return {
    date: record.day,
    aggregated_at: record.aggregatedAt.toISOString(),
    rows: rowsToWire(record.rows),
    dirty: record.isDirty,
  };
}

/** Returns a number for each dataset, in the order of the reference. */
function rowsToWire(numbers: Partial<RowCounts>): RowCounts {
  return ofDatasets((name) => numbers[name] ?? 0);
}

/** A calendar shows a year, leap years included. */
const daysOfPage = { default: 366, max: 366 };

export const DatasetDaysQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      format: 'date',
      description: 'First day, UTC. Default: 365 days before `to`.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Last day, UTC, inclusive. Default: yesterday.',
      examples: ['2026-03-31'],
    }),
  ),
  page: pageQuery.page,
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: daysOfPage.default,
      description: `Days per page. Values above ${daysOfPage.max} are reduced to ${daysOfPage.max}.`,
      examples: [31],
    }),
  ),
});

export const DatasetDayWire = NamedObject('DatasetDay', {
  date: Type.String({ format: 'date' }),
  aggregated_at: Nullable(Timestamp(), { description: 'null: the day was never aggregated.' }),
  dirty: Type.Boolean({
    description:
      'The next nightly run aggregates the day because of late events or a learner who has opted back in.',
  }),
  late_events: Type.Integer({
    minimum: 0,
    description: 'Events that the aggregation did not include. Erased ones still count.',
  }),
  rows: Nullable(RowsWire, {
    description: 'The rows of each dataset; null for a day that was never aggregated.',
  }),
  revisions: Nullable(RowsWire, {
    description:
      'The last revision of each dataset, as in `/status`; null for a day that was never aggregated.',
  }),
  refreshed_at: Nullable(Timestamp(), { description: 'The time of the last change in any dataset.' }),
  events_dropped: Type.Boolean({
    description: 'The raw events were dropped after their retention: the day cannot be aggregated again.',
  }),
});

export const datasetDayExample: Static<typeof DatasetDayWire> = {
  date: '2026-03-01',
  aggregated_at: '2026-03-02T00:05:09.412Z',
  dirty: true,
  late_events: 14,
  rows: rowsExample,
  revisions: {
    ...ofDatasets(() => 57),
    ...Object.fromEntries(datasetsOf('learner').map((name) => [name, 58])),
  },
  refreshed_at: '2026-03-02T06:10:00.020Z',
  events_dropped: false,
};

interface DaysOfPage {
  readonly page: Page;
  readonly total: number;
  /** The days of the page; null if it is behind the last one. */
  readonly range: DayRange | null;
}

/**
 * Days are newest first.
 * @throws ApiError `validation_failed` on `from` if the range is reversed or longer than a hundred years
 */
export function daysOfQuery(query: Static<typeof DatasetDaysQuery>, yesterday: Day): DaysOfPage {
  const to = query.to ?? yesterday;
  const from = query.from ?? addDays(to, 1 - daysOfPage.default);
  const total = countDays({ from, to });
  if (total <= 0) throw invalidField('from', 'must not be after `to`');
  if (total > maxDays) throw invalidField('from', `must be at most ${maxDays - 1} days before \`to\``);
  const page = pageOf(query, daysOfPage);
  if (page.offset >= total) return { page, total, range: null };
  const last = addDays(to, -page.offset);
  const first = addDays(last, 1 - page.size);
  return { page, total, range: { from: first < from ? from : first, to: last } };
}

export function datasetDayToWire(day: DatasetDay): Static<typeof DatasetDayWire> {
  return {
    date: day.day,
    aggregated_at: day.aggregatedAt?.toISOString() ?? null,
    dirty: day.isDirty,
    late_events: day.lateEvents,
    rows: day.rows === null ? null : rowsToWire(day.rows),
    revisions: day.revisions === null ? null : rowsToWire(day.revisions),
    refreshed_at: day.refreshedAt?.toISOString() ?? null,
    events_dropped: day.isDropped,
  };
}
