import { counted } from '../../parts/messages.ts';

/** The words of the pages about jobs. */
export const messages = {
  title: 'Jobs',
  lead: 'Work in the background: feeds, aggregations, clean-up. Completed jobs are not listed.',
  table: 'Jobs',
  id: 'Job',
  queue: 'Kind',
  state: 'State',
  retries: 'Retries',
  created: 'Created',
  started: 'Started',
  finished: 'Finished',
  error: 'Error',
  brand: 'Brand',
  data: 'Arguments',
  result: 'Result',
  filterState: 'State',
  states: { queued: 'Queued', running: 'Running', failed: 'Failed' },
  empty: 'No job is waiting, running or failed',
  noneMatch: 'No job matches the filters',
  retry: 'Retry',
  retried: 'The job is queued again.',
  retryAll: (count: number) => (count === 1 ? 'Retry the failed job' : `Retry all ${count} failed jobs`),
  allRetried: (count: number) => `${counted(count, 'job is', 'jobs are')} queued again.`,
} as const;
