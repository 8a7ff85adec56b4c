import type { ResponseOf } from '../../api/call.ts';
import { messages as words } from './messages.ts';

type Overview = ResponseOf<'getOverview'>;

/** Something that needs attention. */
export interface Concern {
  readonly subject: keyof typeof words.subjects;
  /** `off`: it can wait. */
  readonly tone: 'bad' | 'warn' | 'off';
  readonly text: string;
  /** The path below `/console` of the page that shows it, with its filter. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** The way to find the brands that it is about. */
  readonly brandsBy?: 'refused_24h' | 'failed_lines_24h' | 'keys';
}

/** The age in seconds from which the oldest feed is a concern, as in the alerts of `deploy/`. */
const oldFeedSeconds = 900;
const tones = ['bad', 'warn', 'off'] as const;

/**
 * Returns the concerns of an overview, worst first; within a tone, parts of the installation before feeds, feeds before datasets.
 * `brandIds` are the brands that the user may see, null: all. With a single one, the pages of that brand are linked.
 */
export function concernsOf(overview: Overview, brandIds: readonly number[] | null): readonly Concern[] {
  const brand = brandIds?.length === 1 ? `/brands/${brandIds[0]}` : null;
  const all = [
    ...partConcerns(overview, brand),
    ...feedConcerns(overview.feeds, `${brand ?? ''}/feeds`),
    ...datasetConcerns(overview.datasets, `${brand ?? ''}/datasets`),
    ...jobConcerns(overview),
    ...keyConcerns(overview, brand),
  ];
  return tones.flatMap((tone) => all.filter((concern) => concern.tone === tone));
}

function* partConcerns(
  { database, analytics, redis, doctor }: Overview,
  brand: string | null,
): Generator<Concern> {
  if (database !== 'available')
    yield {
      subject: 'database',
      tone: 'bad',
      text: database === 'read_only' ? words.readOnly : words.diskFull,
      to: '/jobs',
    };
  if (analytics === 'unavailable')
    yield { subject: 'analytics', tone: 'bad', text: words.analyticsAway, to: `${brand ?? ''}/datasets` };
  if (redis === 'unavailable')
    yield {
      subject: 'redis',
      tone: 'bad',
      text: words.redisAway,
      to: brand === null ? '/keys' : `${brand}/limits`,
    };
  if (doctor?.found)
    yield { subject: 'doctor', tone: 'bad', text: words.doctorFound(doctor.found), to: '/doctor' };
  if (doctor?.state === 'failed')
    yield { subject: 'doctor', tone: 'warn', text: words.doctorFailed, to: '/doctor' };
}

function* feedConcerns(feeds: Overview['feeds'], to: string): Generator<Concern> {
  const concern = (tone: Concern['tone'], text: string, status: string): Concern => ({
    subject: 'feeds',
    tone,
    text,
    to,
    search: { status },
  });
  const refusedLines = feeds.refused_lines_24h;
  if (refusedLines > 0)
    yield {
      subject: 'feeds',
      tone: 'warn',
      text: words.linesRefused(refusedLines),
      to,
      search: { refused_lines: 'true' },
      brandsBy: 'failed_lines_24h',
    };
  if (feeds.failed_24h > 0) yield concern('bad', words.feedsFailed(feeds.failed_24h), 'failed');
  if ((feeds.oldest_age_seconds ?? 0) > oldFeedSeconds)
    yield concern('bad', words.feedsWait(feeds), feeds.processing > 0 ? 'processing' : 'queued');
}

function* datasetConcerns(datasets: Overview['datasets'], to: string): Generator<Concern> {
  const { brands_behind: behind, dirty_days: dirty, last_run: run } = datasets;
  if (run?.state === 'failed')
    yield {
      subject: 'datasets',
      tone: 'bad',
      text: words.nightFailed(run.error),
      to: '/jobs',
      search: { queue: 'aggregate-days' },
    };
  if (behind) yield { subject: 'datasets', tone: 'warn', text: words.behind(behind), to };
  if (dirty) yield { subject: 'datasets', tone: 'warn', text: words.dirty(dirty), to };
}

function* jobConcerns({ jobs }: Overview): Generator<Concern> {
  const failed = jobs.failed_24h;
  if (failed > 0)
    yield {
      subject: 'jobs',
      tone: 'bad',
      text: words.jobsFailed(failed),
      to: '/jobs',
      search: { state: 'failed' },
    };
}

function* keyConcerns({ keys, limits, refusals }: Overview, brand: string | null): Generator<Concern> {
  const link = (state: string) => ({
    to: `${brand ?? ''}/keys`,
    search: { state },
    brandsBy: 'keys' as const,
  });
  const refused = brand === null ? '/requests' : `${brand}/refusals`;
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
  if (keys.expiring_30d > 0)
    yield { subject: 'keys', tone: 'warn', text: words.expiring(keys.expiring_30d), ...link('expiring') };
  if (refusals.keys > 0)
    yield {
      subject: 'keys',
      tone: 'warn',
      text: words.refused(refusals),
      ...link('refused'),
      brandsBy: 'refused_24h',
    };
  if (limits.denials_1h > 0)
    yield {
      subject: 'limits',
      tone: 'warn',
      text: words.denials(limits.denials_1h),
      to: refused,
      search: { status: '429', from: hours(1) },
    };
  if (keys.overlaps > 0)
    yield { subject: 'keys', tone: 'off', text: words.overlaps(keys.overlaps), ...link('overlapping') };
  if (keys.unused_90d > 0)
    yield { subject: 'keys', tone: 'off', text: words.unused(keys.unused_90d), ...link('unused') };
}
