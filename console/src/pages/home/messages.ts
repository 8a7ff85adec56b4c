import { counted, figure } from '../../parts/messages.ts';

/** The words of the home page. */
export const messages = {
  title: 'Home',
  lead: 'What needs attention, worst first.',
  allWell: 'All well',
  first: {
    title: 'First steps',
    brand: 'Create a brand',
    key: 'Create its first API key',
    call: 'Wait for the first request: the page of a new key has what to send',
    done: 'done',
    open: 'open',
    go: 'Go on',
    more: 'What comes next is in',
    guides: 'the guides',
  },
  tiles: {
    behind: 'Brands behind yesterday',
    uncounted: (days: number) => counted(days, 'day has uncounted events', 'days have uncounted events'),
  },
  list: 'Concerns',
  more: (brands: number) => `and ${counted(brands, 'other brand', 'other brands')}`,
  mute: 'Mute',
  muteLabel: (text: string) => `Mute until it changes: ${text}`,
  muted: (count: number) =>
    `${counted(count, 'concern is', 'concerns are')} muted until ${count === 1 ? 'it changes' : 'they change'}`,
  unmute: 'Unmute',
  lastNight: 'Last nightly run',
  lastDoctor: 'last run of the doctor',
  subjects: {
    database: 'Database',
    analytics: 'Analytics',
    redis: 'Redis',
    doctor: 'Doctor',
    feeds: 'Feeds',
    datasets: 'Datasets',
    jobs: 'Jobs',
    keys: 'Keys',
    limits: 'Limits',
  },
  diskFull: 'The disk of the database is full: every write fails',
  readOnly: 'The database is read-only: every write fails',
  analyticsAway: 'The analytics store is unavailable: events and datasets get 503',
  redisAway: 'Redis is unavailable: each process counts rate limits for itself',
  doctorFound: (count: number) => `${counted(count, 'derived figure is', 'derived figures are')} wrong`,
  doctorFailed: 'The last run of the doctor failed',
  feedsFailed: (count: number) => `${counted(count, 'feed', 'feeds')} failed in 24 hours`,
  linesRefused: (count: number) => `${counted(count, 'line', 'lines')} of feeds failed in 24 hours`,
  feedsWait: ({ oldest_age_seconds, waiting_lines, lines_per_second }: WaitingFeeds) =>
    `The oldest feed waits for ${ageOf(oldest_age_seconds ?? 0)}, ${counted(waiting_lines, 'line waits', 'lines wait')}, ${
      lines_per_second === null ? 'none is applied' : `${figure(lines_per_second)} a second are applied`
    }`,
  nightFailed: (error: string | null) => `The nightly run failed${error === null ? '' : `: ${error}`}`,
  behind: (count: number) => `${counted(count, 'brand is', 'brands are')} behind yesterday`,
  dirty: (count: number) => `${counted(count, 'day has', 'days have')} uncounted events`,
  jobsFailed: (count: number) => `${counted(count, 'job', 'jobs')} failed in 24 hours`,
  expiring: (count: number) => `${counted(count, 'key expires', 'keys expire')} within 30 days`,
  refused: (count: number) => `${counted(count, 'request was', 'requests were')} refused in 24 hours`,
  unused: (count: number) => `${counted(count, 'key was', 'keys were')} not used for 90 days`,
  overlaps: (count: number) => `${counted(count, 'replaced key is', 'replaced keys are')} still active`,
  denials: (count: number) =>
    `${counted(count, 'request was', 'requests were')} denied by limits in the last hour`,
} as const;

interface WaitingFeeds {
  readonly oldest_age_seconds: number | null;
  readonly waiting_lines: number;
  readonly lines_per_second: number | null;
}

function ageOf(seconds: number): string {
  if (seconds >= 172_800) return `${figure(Math.floor(seconds / 86_400))} days`;
  if (seconds >= 7_200) return `${Math.floor(seconds / 3_600)} hours`;
  return counted(Math.floor(seconds / 60), 'minute', 'minutes');
}
