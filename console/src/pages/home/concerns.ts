import type { ResponseOf } from '../../api/call.ts';
import { counted, figure } from '../../parts/messages.ts';

type Overview = ResponseOf<'getOverview'>;
type Reported = Overview['concerns'][number];

/** Something that needs attention. */
export interface Concern {
  readonly subject: string;
  /** `off`: it can wait. */
  readonly tone: 'bad' | 'warn' | 'off';
  readonly text: string;
  /** The path below `/console` of the page that shows it, with its filter. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** The report of the server about brands, to mute; absent: of the installation. */
  readonly reported?: Reported;
}

const tones = ['bad', 'warn', 'off'] as const;

/**
 * Returns the concerns of an overview, worst first; within a tone, parts of the installation before what is in brands.
 * `brandIds` are the brands that the user may see, null: all. With a single one, the pages of that brand are linked.
 */
export function concernsOf(overview: Overview, brandIds: readonly number[] | null): readonly Concern[] {
  const base = brandIds?.length === 1 ? `/brands/${brandIds[0]}` : '';
  const all = [
    ...partConcerns(overview, base),
    ...overview.concerns.map((reported) => ({ ...concernOf(reported, overview, base), reported })),
  ];
  return tones.flatMap((tone) => all.filter((concern) => concern.tone === tone));
}

function* partConcerns(
  { database, analytics, redis, doctor, datasets }: Overview,
  base: string,
): Generator<Concern> {
  if (database !== 'available')
    yield {
      subject: 'Database',
      tone: 'bad',
      text:
        database === 'read_only'
          ? 'The database is read-only: every write fails'
          : 'The disk of the database is full: every write fails',
      to: '/jobs',
    };
  if (analytics === 'unavailable')
    yield {
      subject: 'Analytics',
      tone: 'bad',
      text: 'The analytics store is unavailable: events and datasets get 503',
      to: `${base}/datasets`,
    };
  if (redis === 'unavailable')
    yield {
      subject: 'Redis',
      tone: 'bad',
      text: 'Redis is unavailable: each process counts rate limits for itself',
      to: base === '' ? '/keys' : `${base}/limits`,
    };
  if (doctor?.found)
    yield {
      subject: 'Doctor',
      tone: 'bad',
      text: `${counted(doctor.found, 'derived figure is', 'derived figures are')} wrong`,
      to: '/doctor',
    };
  if (doctor?.state === 'failed')
    yield { subject: 'Doctor', tone: 'warn', text: 'The last run of the doctor failed', to: '/doctor' };
  if (datasets.last_run?.state === 'failed')
    yield {
      subject: 'Datasets',
      tone: 'bad',
      text: `The nightly run failed${datasets.last_run.error === null ? '' : `: ${datasets.last_run.error}`}`,
      to: '/jobs',
      search: { queue: 'aggregate-days' },
    };
}

/** Returns the words of a concern, and the list of exactly what it counts. */
function concernOf({ kind, count, since }: Reported, { feeds, jobs }: Overview, base: string): Concern {
  const ofFeeds = { subject: 'Feeds', to: `${base}/feeds` } as const;
  const ofDatasets = { subject: 'Datasets', tone: 'warn', to: `${base}/datasets` } as const;
  const ofKeys = (state: string) => ({ subject: 'Keys', to: `${base}/keys`, search: { state } }) as const;
  const refused = base === '' ? '/requests' : `${base}/refusals`;
  switch (kind) {
    case 'feeds_failed':
      return {
        ...ofFeeds,
        tone: 'bad',
        text: `${counted(count, 'feed', 'feeds')} failed in 24 hours`,
        search: { status: 'failed' },
      };
    case 'feeds_waiting': {
      const status = feeds.processing > 0 ? 'processing' : 'queued';
      return { ...ofFeeds, tone: 'bad', text: feedsWaitText(feeds), search: { status } };
    }
    case 'lines_failed':
      return {
        ...ofFeeds,
        tone: 'warn',
        text: `${counted(count, 'failed line is', 'failed lines are')} left, of feeds of 24 hours`,
        search: { refused_lines: 'true' },
      };
    case 'jobs_failed':
      return {
        subject: 'Jobs',
        tone: 'bad',
        text: `${counted(count, 'job', 'jobs')} failed in 24 hours${reasonsText(jobs.failures)}`,
        to: '/jobs',
        search: { state: 'failed' },
      };
    case 'alerts_undelivered':
      return {
        subject: 'Alerts',
        tone: 'bad',
        text: `${counted(count, 'alert does', 'alerts do')} not arrive${since === null ? '' : ` since ${since.slice(0, 16).replace('T', ' ')} UTC`}`,
        to: '/jobs',
        search: { state: 'failed', queue: alertQueue },
      };
    case 'datasets_behind':
      return { ...ofDatasets, text: `${counted(count, 'brand is', 'brands are')} behind yesterday` };
    case 'late_events':
      return { ...ofDatasets, text: `${counted(count, 'day has', 'days have')} uncounted events` };
    case 'keys_expiring':
      return {
        ...ofKeys('expiring'),
        tone: 'warn',
        text: `${counted(count, 'key expires', 'keys expire')} within 30 days`,
      };
    case 'keys_overlapping':
      return {
        ...ofKeys('overlapping'),
        tone: 'off',
        text: `${counted(count, 'replaced key is', 'replaced keys are')} still active`,
      };
    case 'keys_unused':
      return {
        ...ofKeys('unused'),
        tone: 'off',
        text: `${counted(count, 'key was', 'keys were')} not used for 90 days`,
      };
    case 'requests_refused':
      return {
        subject: 'Keys',
        tone: 'warn',
        text: `${counted(count, 'request was', 'requests were')} refused in 24 hours`,
        to: refused,
        search: { from: hoursAgo(24) },
      };
    case 'requests_denied':
      return {
        subject: 'Limits',
        tone: 'warn',
        text: `${counted(count, 'request was', 'requests were')} denied by limits in the last hour`,
        to: refused,
        search: { status: '429', from: hoursAgo(1) },
      };
    default:
      return { subject: 'Jobs', tone: 'warn', text: `${kind}: ${count}`, to: '/' };
  }
}

const alertQueue = 'send-alerts';
const namedReasons = 3;

/** Names the queues that failed most lately, such as `: aggregate-days 9 times`; those of alerts are another concern. */
function reasonsText(failures: Overview['jobs']['failures']): string {
  const named = failures.filter(({ queue }) => queue !== alertQueue).slice(0, namedReasons);
  const texts = named.map(({ queue, count }) => (count === 1 ? queue : `${queue} ${figure(count)} times`));
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

const brandPages: Readonly<Record<string, string>> = {
  '/requests': '/refusals',
  '/feeds': '/feeds',
  '/keys': '/keys',
  '/datasets': '/datasets',
};

/** Returns the place of what a concern counts in one brand: its list with the same filter. */
export function placeIn(
  brandId: number,
  { to, search }: { readonly to: string; readonly search: Concern['search'] | undefined },
) {
  const page = brandPages[to];
  if (page === undefined) return { to, search: { ...search, brand: String(brandId) } };
  return { to: `/brands/${brandId}${page}`, ...(search !== undefined && { search }) };
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

function feedsWaitText({ oldest_age_seconds, waiting_lines, lines_per_second }: Overview['feeds']): string {
  return `The oldest feed waits for ${ageOf(oldest_age_seconds ?? 0)}, ${counted(waiting_lines, 'line waits', 'lines wait')}, ${
    lines_per_second === null ? 'none is applied' : `${figure(lines_per_second)} a second are applied`
  }`;
}

function ageOf(seconds: number): string {
  if (seconds >= 172_800) return `${figure(Math.floor(seconds / 86_400))} days`;
  if (seconds >= 7_200) return `${Math.floor(seconds / 3_600)} hours`;
  return counted(Math.floor(seconds / 60), 'minute', 'minutes');
}
