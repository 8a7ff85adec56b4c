import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { latency, measure, milliseconds, perSecond, rate, warmUp } from '../bench-context.ts';
import { openFeeds } from '../load/feeds.ts';
import { repeatedDetails } from '../loads/read-loads.ts';
import { adjustLoads } from '../loads/write-loads.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare, median } from '../rounds.ts';
import { samplePlaces, sendQuantities } from './feeds.ts';

/** Few, so that the latency is that of waiting for the feed and not for other adjustments. */
const connections = 4;

/** The p99 of adjustments of brand B while feeds of that brand are applied: both take turns at the brand's stock lock. */
export const adjustsBesideFeed: Part = {
  name: 'feed-adjusts',
  async run(context) {
    const { scale, service, large } = context;
    const places = await samplePlaces(context);
    const feeds = openFeeds(service.clientUrl, large.headers);
    const { oneBrand } = await adjustLoads(context);
    const p99 = () => latency(context, { ...oneBrand, connections }, 'p99');
    const besideFeed = async () => {
      // Two feeds, so that work lasts for the measured time.
      const sent = [await sendQuantities(feeds, places), await sendQuantities(feeds, places)];
      const measured = await p99();
      for (const feedId of sent) await feeds.secondsToApply(feedId);
      return measured;
    };
    await warmUp(context, oneBrand);
    return [
      ratioOf(await compare(scale.rounds, besideFeed, p99), {
        work: `p99 of stock adjusts while a feed of their brand is applied, ${connections} connections`,
        format: milliseconds,
        yardstick: (value) => `the same without a feed ${milliseconds(value)}`,
        target: null,
      }),
    ];
  },
};

/**
 * Reads product details of brand B while feeds of that brand are applied, compared with reads without a feed, and the feeds
 * meanwhile, compared with a feed alone: a server could keep either fast at the other's expense.
 */
export const readsBesideFeed: Part = {
  name: 'feed-reads',
  async run(context) {
    const { scale, service, large, client } = context;
    const places = await samplePlaces(context);
    const feeds = openFeeds(service.clientUrl, large.headers);
    const send = () => sendQuantities(feeds, places);
    const load = await repeatedDetails(context);
    await warmUp(context, load);
    const meanwhile: number[] = [];
    const alone: number[] = [];
    const reads = await compare(
      scale.rounds,
      async () => {
        // Two feeds, so that work lasts for the measured time.
        const sent = [await send(), await send()];
        const progress = followProgress(client, large.brandId, sent);
        const result = await measure(context, load);
        for (const feedId of sent) await feeds.secondsToApply(feedId);
        meanwhile.push(linesPerSecond(await progress.stop(), result.startedAt, scale.roundSeconds));
        return { value: result.requestsPerSecond, cpu: result.cpu };
      },
      async () => {
        alone.push(places.length / (await feeds.secondsToApply(await send())));
        return rate(context, load);
      },
    );
    const speeds = meanwhile.map((speed, round) => speed / (alone[round] as number));
    return [
      ratioOf(reads, {
        work: 'product detail while a feed of its brand is applied',
        format: perSecond,
        yardstick: (value) => `the same without a feed ${perSecond(value)}`,
        target: { atLeast: 0.8 },
      }),
      {
        work: 'the feed meanwhile',
        measured: perSecond(median(meanwhile), 'lines'),
        yardstick: `a feed alone ${perSecond(median(alone), 'lines')}`,
        ratio: median(speeds),
        rounds: speeds,
        target: { atLeast: 0.5 },
      },
    ];
  },
};

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
