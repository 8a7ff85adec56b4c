import type { ResponseOf } from '../../api/call.ts';
import { messages as words } from './messages.ts';

type Overview = ResponseOf<'getOverview'>;
type Reported = Overview['concerns'][number];

/** Something that needs attention. */
export interface Concern {
  readonly subject: keyof typeof words.subjects;
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
      subject: 'database',
      tone: 'bad',
      text: database === 'read_only' ? words.readOnly : words.diskFull,
      to: '/jobs',
    };
  if (analytics === 'unavailable')
    yield { subject: 'analytics', tone: 'bad', text: words.analyticsAway, to: `${base}/datasets` };
  if (redis === 'unavailable')
    yield {
      subject: 'redis',
      tone: 'bad',
      text: words.redisAway,
      to: base === '' ? '/keys' : `${base}/limits`,
    };
  if (doctor?.found)
    yield { subject: 'doctor', tone: 'bad', text: words.doctorFound(doctor.found), to: '/doctor' };
  if (doctor?.state === 'failed')
    yield { subject: 'doctor', tone: 'warn', text: words.doctorFailed, to: '/doctor' };
  if (datasets.last_run?.state === 'failed')
    yield {
      subject: 'datasets',
      tone: 'bad',
      text: words.nightFailed(datasets.last_run.error),
      to: '/jobs',
      search: { queue: 'aggregate-days' },
    };
}

/** Returns the words of a concern, and the list of exactly what it counts. */
function concernOf({ kind, count }: Reported, { feeds }: Overview, base: string): Concern {
  const ofFeeds = { subject: 'feeds', to: `${base}/feeds` } as const;
  const ofDatasets = { subject: 'datasets', tone: 'warn', to: `${base}/datasets` } as const;
  const ofKeys = (state: string) => ({ subject: 'keys', to: `${base}/keys`, search: { state } }) as const;
  const refused = base === '' ? '/requests' : `${base}/refusals`;
  switch (kind) {
    case 'feeds_failed':
      return { ...ofFeeds, tone: 'bad', text: words.feedsFailed(count), search: { status: 'failed' } };
    case 'feeds_waiting': {
      const status = feeds.processing > 0 ? 'processing' : 'queued';
      return { ...ofFeeds, tone: 'bad', text: words.feedsWait(feeds), search: { status } };
    }
    case 'lines_failed':
      return { ...ofFeeds, tone: 'warn', text: words.linesRefused(count), search: { refused_lines: 'true' } };
    case 'jobs_failed':
      return {
        subject: 'jobs',
        tone: 'bad',
        text: words.jobsFailed(count),
        to: '/jobs',
        search: { state: 'failed' },
      };
    case 'datasets_behind':
      return { ...ofDatasets, text: words.behind(count) };
    case 'late_events':
      return { ...ofDatasets, text: words.dirty(count) };
    case 'keys_expiring':
      return { ...ofKeys('expiring'), tone: 'warn', text: words.expiring(count) };
    case 'keys_overlapping':
      return { ...ofKeys('overlapping'), tone: 'off', text: words.overlaps(count) };
    case 'keys_unused':
      return { ...ofKeys('unused'), tone: 'off', text: words.unused(count) };
    case 'requests_refused':
      return {
        subject: 'keys',
        tone: 'warn',
        text: words.refused(count),
        to: refused,
        search: { from: hoursAgo(24) },
      };
    case 'requests_denied':
      return {
        subject: 'limits',
        tone: 'warn',
        text: words.denials(count),
        to: refused,
        search: { status: '429', from: hoursAgo(1) },
      };
    default:
      return { subject: 'jobs', tone: 'warn', text: `${kind}: ${count}`, to: '/' };
  }
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
