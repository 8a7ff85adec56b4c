import { counted } from '../../parts/messages.ts';

/** The words of the pages about datasets. */
export const messages = {
  title: 'Datasets',
  lead: 'A day counts once it is aggregated: at night, or from here.',
  calendar: 'Calendar',
  calendarHint: 'Arrow keys move, Shift with them selects a range, Enter selects one day.',
  earlier: 'Earlier',
  later: 'Later',
  states: {
    final: 'aggregated',
    dirty: 'uncounted events',
    missing: 'not aggregated',
    dropped: 'events dropped',
  },
  withRows: (state: string, rows: number) => `${state}, ${counted(rows, 'row', 'rows')} of learners`,
  selectDirty: (count: number) =>
    count === 1
      ? 'Aggregate the day with uncounted events'
      : `Aggregate the ${count} days with uncounted events`,
  aggregate: (count: number) => (count === 1 ? 'Aggregate this day' : `Aggregate these ${count} days`),
  aggregating: 'Aggregating…',
  aggregated: (count: number) => `${counted(count, 'day is', 'days are')} aggregated.`,
  queued: 'The range is aggregated by a job.',
  openJob: 'Open the job',
  table: 'Days',
  date: 'Day',
  state: 'State',
  lateEvents: 'Uncounted events',
  rows: { daily: 'Daily', contents: 'Contents', users: 'Users', content_engagement: 'Engagement' },
  revision: 'Revision',
  refreshed: 'Refreshed',
  lag: {
    title: 'Datasets',
    lead: 'Brands that are behind come first, then those with uncounted events: events that no aggregation has included.',
    table: 'Age of the datasets',
    brand: 'Brand',
    latest: 'Latest day',
    behind: 'Days behind',
    dirty: 'Days with uncounted events',
    unused: (count: number) => `${counted(count, 'brand', 'brands')} without any aggregated day`,
    empty: 'No brand yet',
    upToDate: 'up to date',
    nothing: 'nothing aggregated',
  },
} as const;
