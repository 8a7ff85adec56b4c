import { type Static, Type } from 'typebox';
import { Timestamp } from '../../api/field-schemas.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { countDays, type Day, type DayRange } from '../day.ts';
import type { RowCounts } from '../store/datasets.ts';
import type { DayRecord } from '../store/days-store.ts';

/** A hundred years. Every day of a range gets rows, so a typing error must not create a million of them. */
export const maxDays = 36_525;

const dayInput = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-03-01'] });

export const AggregateDaysBody = Type.Object({
  from: dayInput('First day, UTC, inclusive.'),
  to: dayInput('Last day, UTC, inclusive; yesterday at the latest.'),
});

export const RowsWire = Type.Object({
  daily: Type.Integer({ minimum: 0 }),
  contents: Type.Integer({ minimum: 0 }),
  users: Type.Integer({ minimum: 0 }),
  content_engagement: Type.Integer({ minimum: 0 }),
});

export const AggregationWire = Type.Object({
  days: Type.Integer({
    minimum: 0,
    description: 'The aggregated days. Days whose raw events were dropped are not aggregated.',
  }),
  rows: RowsWire,
});

/** The most days that are aggregated within the request [internal-41]. */
export const maxDaysOfRequest = 31;

export const AggregationJobWire = Type.Object({
  job_id: Type.String({
    description:
      'Available at `/jobs/{id}` for 7 days after completion, with the same result as a 200 response.',
  }),
});

export const aggregationJobExample: Static<typeof AggregationJobWire> = {
  job_id: '0f7c1a52-6a0e-4f0c-9a53-3f1d2d0b7c11',
};

export const AggregatedDayWire = Type.Object({
  date: Type.String({ format: 'date' }),
  aggregated_at: Timestamp(),
  rows: RowsWire,
  dirty: Type.Boolean({
    description: 'Events arrived after the aggregation, or a learner who was not counted has opted back in.',
  }),
});

export const rowsExample = { daily: 3, contents: 12, users: 27, content_engagement: 41 };

export const aggregationExample: Static<typeof AggregationWire> = { days: 1, rows: rowsExample };

export const aggregatedDayExample: Static<typeof AggregatedDayWire> = {
  date: '2026-03-01',
  aggregated_at: '2026-03-02T00:05:09.412Z',
  rows: rowsExample,
  dirty: false,
};

/** @throws ApiError `validation_failed` for a day that is not over yet, or a range that ends before it begins [internal-40] */
export function aggregationRange({ from, to }: Static<typeof AggregateDaysBody>, yesterday: Day): DayRange {
  const errors = {
    ...(from > to && { from: ['must not be after `to`'] }),
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
export function rowsToWire(numbers: Partial<RowCounts>): RowCounts {
  const { daily = 0, contents = 0, users = 0, content_engagement = 0 } = numbers;
  return { daily, contents, users, content_engagement };
}
