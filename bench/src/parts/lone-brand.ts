import { type Load, measure, milliseconds, type Subject, warmUp } from '../bench-context.ts';
import { adjustLoads, adjustsOfBrands } from '../loads/write-loads.ts';
import { type Part, ratioOf, type Target } from '../part.ts';
import { compare, type Measured } from '../rounds.ts';
import { compareFeedWork, openFeedAlone, openFeedWork } from './beside-feed.ts';
import { hourlyExport } from './targets.ts';

/** A brand with one connection, next to others that write as much as they can. */
interface LoneBrand {
  readonly lone: Load;
  /** 32 connections of 32 other brands. */
  readonly busy: Load;
}

async function loneBrand(subject: Subject): Promise<LoneBrand> {
  const { manyBrands } = await adjustLoads(subject);
  return { lone: { ...(await adjustsOfBrands(subject, 1, 400)), connections: 1 }, busy: manyBrands };
}

/** Returns the p99 of the lone brand while the others write, milliseconds. */
async function p99NextTo(subject: Subject, { lone, busy }: LoneBrand): Promise<Measured> {
  const [{ p99: value, cpu }] = await Promise.all([measure(subject, lone), measure(subject, busy)]);
  return { value, cpu };
}

/** Compares the latency of a lone brand next to 32 busy ones with that of another checkout. */
export const againstBusyBrands: Part = {
  name: 'against-busy',
  needs: 'other',
  async run(context) {
    const { other, scale } = context;
    if (other === null) throw new Error('the part needs --against <checkout>');
    const [ours, theirs] = [await loneBrand(context), await loneBrand(other)];
    for (const { lone, busy } of [ours, theirs])
      await Promise.all([warmUp(context, lone), warmUp(context, busy)]);
    const compared = await compare(
      scale.rounds,
      () => p99NextTo(context, ours),
      () => p99NextTo(other, theirs),
    );
    return [
      ratioOf(compared, {
        work: 'stock adjust of a lone brand next to 32 busy ones, p99',
        format: milliseconds,
        yardstick: (value) => `${other.name} ${milliseconds(value)}`,
        target: { atMost: 1 },
      }),
    ];
  },
};

const unnoticed: Target = {
  of: 'figure',
  atMost: 50,
  why: 'an order line is confirmed while feeds of others are applied',
};

/** Compares the latency of a brand's adjustments while a feed of another one is applied with that without it, and the feeds. */
export const besideFeedOfAnother: Part = {
  name: 'feed-of-another',
  async run(context) {
    const lone = { ...(await adjustsOfBrands(context, 1, 400)), connections: 4 };
    return compareFeedWork(context, {
      work: 'stock adjust while a feed of another brand is applied, p99, 4 connections',
      sides: [
        [await openFeedWork(context), lone],
        [await openFeedAlone(context), lone],
      ],
      percentile: 'p99',
      yardsticks: ['without a feed', 'a feed alone'],
      targets: [unnoticed, hourlyExport],
    });
  },
};
