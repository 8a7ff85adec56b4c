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

type Place = Pick<Concern, 'subject' | 'to'>;

/** Returns a concern without its report. */
function concern(place: Place, tone: Concern['tone'], text: string, search?: Concern['search']): Concern {
  return { ...place, tone, text, ...(search !== undefined && { search }) };
}

/** Returns the concerns about parts of the installation. */
function partConcerns(
  { database, analytics, redis, doctor, datasets }: Overview,
  base: string,
): readonly Concern[] {
  const databaseText =
    database === 'read_only' ? 'The database is read-only' : 'The disk of the database is full';
  const ofDoctor = { subject: 'Doctor', to: '/doctor' };
  const { state, error = null } = datasets.last_run ?? {};
  const nightText = `The nightly run failed${error === null ? '' : `: ${error}`}`;
  const all = [
    database !== 'available' &&
      concern({ subject: 'Database', to: '/jobs' }, 'bad', `${databaseText}: every write fails`),
    analytics === 'unavailable' &&
      concern(
        { subject: 'Analytics', to: `${base}/datasets` },
        'bad',
        'The analytics store is unavailable: events and datasets get 503',
      ),
    redis === 'unavailable' &&
      concern(
        { subject: 'Redis', to: base === '' ? '/keys' : `${base}/limits` },
        'bad',
        'Redis is unavailable: each process counts rate limits for itself',
      ),
    doctor?.found &&
      concern(ofDoctor, 'bad', `${counted(doctor.found, 'derived figure is', 'derived figures are')} wrong`),
    doctor?.state === 'failed' && concern(ofDoctor, 'warn', 'The last run of the doctor failed'),
    state === 'failed' &&
      concern({ subject: 'Datasets', to: '/jobs' }, 'bad', nightText, { queue: 'aggregate-days' }),
  ];
  return all.filter((each) => typeof each === 'object' && each !== null);
}

/** Returns the words of a concern, and the list of exactly what it counts. */
function concernOf({ kind, count, since }: Reported, { feeds, jobs }: Overview, base: string): Concern {
  const ofFeeds = { subject: 'Feeds', to: `${base}/feeds` };
  const ofDatasets = { subject: 'Datasets', to: `${base}/datasets` };
  const ofKeys = { subject: 'Keys', to: `${base}/keys` };
  const ofJobs = { subject: 'Jobs', to: '/jobs' };
  const refused = base === '' ? '/requests' : `${base}/refusals`;
  const text = (one: string, many: string, rest: string) => `${counted(count, one, many)} ${rest}`;
  switch (kind) {
    case 'feeds_failed':
      return concern(ofFeeds, 'bad', text('feed', 'feeds', 'failed in 24 hours'), { status: 'failed' });
    case 'feeds_waiting': {
      const status = feeds.processing > 0 ? 'processing' : 'queued';
      return concern(ofFeeds, 'bad', feedsWaitText(feeds), { status });
    }
    case 'lines_failed': {
      const words = text('failed line is', 'failed lines are', 'left, of feeds of 24 hours');
      return concern(ofFeeds, 'warn', words, { refused_lines: 'true' });
    }
    case 'jobs_failed': {
      const words = text('job', 'jobs', `failed in 24 hours${reasonsText(jobs.failures)}`);
      return concern(ofJobs, 'bad', words, { state: 'failed' });
    }
    case 'alerts_undelivered': {
      const from = since === null ? '' : ` since ${since.slice(0, 16).replace('T', ' ')} UTC`;
      const words = text('alert does', 'alerts do', `not arrive${from}`);
      return concern({ ...ofJobs, subject: 'Alerts' }, 'bad', words, { state: 'failed', queue: alertQueue });
    }
    case 'datasets_behind':
      return concern(ofDatasets, 'warn', text('brand is', 'brands are', 'behind yesterday'));
    case 'late_events':
      return concern(ofDatasets, 'warn', text('day has', 'days have', 'uncounted events'));
    case 'keys_expiring': {
      const words = text('key expires', 'keys expire', 'within 30 days');
      return concern(ofKeys, 'warn', words, { state: 'expiring' });
    }
    case 'keys_overlapping': {
      const words = text('replaced key is', 'replaced keys are', 'still active');
      return concern(ofKeys, 'off', words, { state: 'overlapping' });
    }
    case 'keys_unused': {
      const words = text('key was', 'keys were', 'not used for 90 days');
      return concern(ofKeys, 'off', words, { state: 'unused' });
    }
    case 'requests_refused': {
      const words = text('request was', 'requests were', 'refused in 24 hours');
      return concern({ subject: 'Keys', to: refused }, 'warn', words, { from: hoursAgo(24) });
    }
    case 'requests_denied': {
      const words = text('request was', 'requests were', 'denied by limits in the last hour');
      const search = { status: '429', from: hoursAgo(1) };
      return concern({ subject: 'Limits', to: refused }, 'warn', words, search);
    }
    default:
      return concern({ subject: 'Jobs', to: '/' }, 'warn', `${kind}: ${count}`);
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
