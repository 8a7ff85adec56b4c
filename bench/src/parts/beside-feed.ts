import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  type BenchContext,
  type Load,
  measure,
  milliseconds,
  perSecond,
  type Subject,
  warmUp,
} from '../bench-context.ts';
import { openFeeds } from '../load/feeds.ts';
import { repeatedDetails } from '../loads/read-loads.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare, median } from '../rounds.ts';
import { samplePlaces, sendQuantities } from './feeds.ts';
import { hourlyExport, wholePlatform } from './targets.ts';

/**
 * Reads product details of brand B while feeds of that brand are applied, compared with reads without a feed, and the feeds
 * meanwhile, compared with a feed alone: a server could keep either fast at the other's expense.
 */
export const readsBesideFeed: Part = {
  name: 'feed-reads',
  async run(context) {
    const [during, load] = [await openFeedWork(context), await repeatedDetails(context)];
    const after = await openFeedAlone(context);
    return compareFeedWork(context, {
      work: 'product detail while a feed of its brand is applied',
      sides: [
        [during, load],
        [after, load],
      ],
      yardsticks: ['the same without a feed', 'a feed alone'],
      targets: [wholePlatform, hourlyExport],
    });
  },
};

/** Runs a load. Lines per second are those of a feed. */
export type FeedWork = (
  load: Load,
) => Promise<Awaited<ReturnType<typeof measure>> & { readonly linesPerSecond: number }>;

/** Applies a feed of brand B, then returns what runs a load while feeds of the same places are applied. */
export async function openFeedWork(subject: Subject): Promise<FeedWork> {
  const { service, client, large, scale } = subject;
  const places = await samplePlaces(subject);
  const feeds = openFeeds(service.clientUrl, large.headers);
  const send = () => sendQuantities(feeds, places);
  // The first feed takes over levels that were set by hand.
  await feeds.secondsToApply(await send());
  return async (load) => {
    // Two feeds, so that work lasts for the measured time.
    const sent = [await send(), await send()];
    const progress = followProgress(client, large.brandId, sent);
    const result = await measure(subject, load);
    for (const feedId of sent) await feeds.secondsToApply(feedId);
    const samples = await progress.stop();
    return { ...result, linesPerSecond: linesPerSecond(samples, result.startedAt, scale.roundSeconds) };
  };
}

/** Returns what applies a feed of brand B, and then runs a load. */
export async function openFeedAlone(subject: Subject): Promise<FeedWork> {
  const places = await samplePlaces(subject);
  const feeds = openFeeds(subject.service.clientUrl, subject.large.headers);
  return async (load) => {
    const seconds = await feeds.secondsToApply(await sendQuantities(feeds, places));
    return { ...(await measure(subject, load)), linesPerSecond: places.length / seconds };
  };
}

interface FeedComparison {
  readonly work: string;
  /** The measured work and the yardstick. */
  readonly sides: readonly [FeedSide, FeedSide];
  /** The latencies to compare instead of the rates. */
  readonly percentile?: 'p99' | undefined;
  /** The names of the yardsticks of the load and of the feed. */
  readonly yardsticks: readonly [string, string];
  /** The targets of the load and of the feed. */
  readonly targets: readonly [Target, Target];
}

type FeedSide = readonly [run: FeedWork, load: Load];

/** Compares loads, and the feeds meanwhile. */
export async function compareFeedWork(
  context: BenchContext,
  { work, sides, percentile, yardsticks, targets }: FeedComparison,
): Promise<Ratio[]> {
  for (const [, load] of sides) await warmUp(context, load);
  const [speeds, others]: [number[], number[]] = [[], []];
  const measured = async ([run, load]: FeedSide, into: number[]) => {
    const { requestsPerSecond, p99, cpu, linesPerSecond } = await run(load);
    into.push(linesPerSecond);
    return { value: percentile === undefined ? requestsPerSecond : p99, cpu };
  };
  const compared = await compare(
    context.scale.rounds,
    () => measured(sides[0], speeds),
    () => measured(sides[1], others),
  );
  const format = percentile === undefined ? perSecond : milliseconds;
  const rounds = speeds.map((speed, round) => speed / (others[round] as number));
  return [
    ratioOf(compared, {
      work,
      format,
      yardstick: (value) => `${yardsticks[0]} ${format(value)}`,
      target: targets[0],
    }),
    {
      work: 'the feed meanwhile',
      measured: perSecond(median(speeds), 'lines'),
      yardstick: `${yardsticks[1]} ${perSecond(median(others), 'lines')}`,
      ratio: median(rounds),
      figure: median(speeds),
      rounds,
      target: targets[1],
    },
  ];
}

interface Progress {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Lines of all feeds that are applied. */
  readonly lines: number;
}

/** Records how many lines are applied, every 50 ms, until it is stopped. */
function followProgress(
  client: pg.Client,
  brandId: number,
  feedIds: readonly string[],
): { stop(): Promise<Progress[]> } {
  const samples: Progress[] = [];
  let isStopped = false;
  const look = async () => {
    const { rows } = await client.query<{ lines: number }>({
      name: 'bench_feed_progress',
      text: 'select sum(next_line)::integer as lines from stock_feeds where brand_id = $1 and tu_id = any($2)',
      values: [brandId, feedIds],
    });
    samples.push({ at: Date.now(), lines: rows[0]?.lines ?? 0 });
  };
  const followed = (async () => {
    for (; !isStopped; await sleep(50)) await look();
    await look();
  })();
  followed.catch(() => {});
  return {
    stop: async () => {
      isStopped = true;
      await followed;
      return samples;
    },
  };
}

/** The speed from `start` for `seconds`, or until the last line if that was earlier. */
function linesPerSecond(samples: readonly Progress[], start: number, seconds: number): number {
  const [earliest, latest] = [samples[0], samples.at(-1)];
  if (earliest === undefined || latest === undefined) throw new Error('the progress of the feeds is unknown');
  const end =
    samples.find(({ at, lines }) => at >= start + seconds * 1000 || lines === latest.lines) ?? latest;
  const before = samples.findLast(({ at }) => at <= start);
  // Small feeds may be over before the first read.
  const first = before !== undefined && before.lines < end.lines ? before : earliest;
  return ((end.lines - first.lines) * 1000) / (end.at - first.at);
}
