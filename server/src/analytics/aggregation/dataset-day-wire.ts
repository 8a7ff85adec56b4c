import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import { type Page, pageOf, pageQuery } from '../../api/pagination.ts';
import { invalidField } from '../../errors/api-error.ts';
import { addDays, countDays, type Day, type DayRange } from '../day.ts';
import type { DatasetDay } from '../store/days-store.ts';
import { maxDays, RowsWire, rowsExample, rowsToWire } from './aggregation-wire.ts';

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

export const DatasetDayWire = Type.Object({
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
  revisions: { daily: 57, contents: 57, users: 58, content_engagement: 58 },
  refreshed_at: '2026-03-02T06:10:00.020Z',
  events_dropped: false,
};

export interface DaysOfPage {
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
