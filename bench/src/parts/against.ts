import { type BenchContext, type Load, loadConnections, perSecond, type Subject } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import { detailLoads, listLoads, repeatedDetails } from '../loads/read-loads.ts';
import { adjustLoads, changeLoads, createLoads, replayLoad, type WriteLoads } from '../loads/write-loads.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare } from '../rounds.ts';
import { compareFeedWork, openFeedWork } from './beside-feed.ts';
import { openExports } from './feeds.ts';

/** Compares writes with those of another checkout: alone, of one brand, of 32 brands, and replays. */
export const againstWrites: Part = {
  name: 'against-writes',
  needs: 'other',
  async run(context) {
    const adjusts = await ofBoth(context, adjustLoads);
    const kinds: [string, Pair<WriteLoads>][] = [
      ['stock adjust', adjusts],
      ['product create', await ofBoth(context, createLoads)],
      ['product change', await ofBoth(context, changeLoads)],
    ];
    const ratios: Ratio[] = [];
    for (const [work, loads] of kinds) {
      const alone = ({ oneBrand }: WriteLoads) => ({ ...oneBrand, connections: 1 });
      ratios.push(
        await against(context, `${work}, p50`, loads, alone, { atMost: 1 / 1.15 }, 'p50'),
        await against(context, `${work}, one brand`, loads, (of) => of.oneBrand, { atLeast: 0.75 }),
        await against(context, `${work}, 32 brands`, loads, (of) => of.manyBrands, { atLeast: 0.5 }),
      );
    }
    const replays = await ofBoth(context, replayLoad);
    return [
      ...ratios,
      await against(context, 'stock adjust, one level', adjusts, (of) => of.oneLevel, null),
      await against(context, 'idempotent replay', replays, (load) => load, { atLeast: 0.9 }),
    ];
  },
};

/** Compares adjustments and reads of brand B during a feed of that brand, and the feed meanwhile. */
export const againstFeed: Part = {
  name: 'against-feed',
  needs: 'data of the other',
  async run(context) {
    const [ours, theirs] = await ofBoth(context, openFeedWork);
    const during = (work: string, loads: Pair<Load>, targets: Pair<Target>, percentile?: 'p99') =>
      compareFeedWork(context, {
        work: `${work} during a feed of the brand, ${connectionsOf(loads)}`,
        sides: [
          [ours, loads[0]],
          [theirs, loads[1]],
        ],
        percentile,
        yardsticks: [otherName(context), otherName(context)],
        targets,
      });
    const adjusts = await ofBoth(context, async (subject) => (await adjustLoads(subject)).oneBrand);
    // Few, so that the latency is that of waiting for the feed and not for other adjustments.
    const few: Pair<Load> = [
      { ...adjusts[0], connections: 4 },
      { ...adjusts[1], connections: 4 },
    ];
    const slower: Pair<Target> = [{ atMost: 1.3 }, null];
    const notWorse: Pair<Target> = [{ atLeast: 0.95 }, { atLeast: 0.95 }];
    return [
      ...(await during('stock adjust, p99', adjusts, slower, 'p99')),
      ...(await during('stock adjust', adjusts, [null, null])),
      ...(await during('stock adjust, p99', few, slower, 'p99')),
      ...(await during('product detail', await ofBoth(context, repeatedDetails), notWorse)),
      ...(await during('list of 50', await ofBoth(context, (of) => listLoads(of).repeatedly), notWorse)),
    ];
  },
};

/** Compares feeds of brand B with those of another checkout, while nothing else runs. */
export const againstFeedAlone: Part = {
  name: 'against-feed-alone',
  needs: 'data of the other',
  async run(context) {
    const [ours, theirs] = await ofBoth(context, openExports);
    const compared = await compare(context.scale.rounds, ours.apply, theirs.apply);
    return [
      ratioOf(compared, {
        work: `feed of ${ours.places.length.toLocaleString('en-US')} lines alone`,
        format: (value) => perSecond(value, 'lines'),
        yardstick: (value) => `${otherName(context)} ${perSecond(value, 'lines')}`,
        target: { atLeast: 0.95 },
      }),
    ];
  },
};

/** Compares reads with those of another checkout. */
export const againstReads: Part = {
  name: 'against-reads',
  needs: 'other',
  async run(context) {
    const kinds = [
      ['product detail', await ofBoth(context, detailLoads)],
      ['list of 50', await ofBoth(context, listLoads)],
    ] as const;
    const ratios: Ratio[] = [];
    for (const [work, loads] of kinds)
      ratios.push(
        await against(context, `${work}, each once`, loads, (of, round) => of.once(round), null),
        await against(context, `${work}, repeatedly`, loads, (of) => of.repeatedly, null),
      );
    return ratios;
  },
};

type Pair<T> = readonly [ours: T, theirs: T];

function otherName({ other }: BenchContext): string {
  return other?.name ?? '';
}

/** @throws Error without `--against` */
async function ofBoth<T>(context: BenchContext, get: (subject: Subject) => T | Promise<T>): Promise<Pair<T>> {
  if (context.other === null) throw new Error('a part needs --against <checkout>');
  return [await get(context), await get(context.other)];
}

/** Compares the rates of a load of each side, or their latencies. */
function against<T>(
  context: BenchContext,
  ...[work, [ours, theirs], loadOf, target, percentile]: [
    work: string,
    of: Pair<T>,
    loadOf: (of: T, round: number) => Load,
    target: Target,
    percentile?: 'p50',
  ]
): Promise<Ratio> {
  const loads = (round: number) => [loadOf(ours, round), loadOf(theirs, round)] as const;
  return compareLoads(context, {
    work: `${work}, ${connectionsOf(loads(0))}`,
    loads,
    percentile,
    yardstick: otherName(context),
    target,
  });
}

function connectionsOf([{ connections = loadConnections }]: Pair<Load>): string {
  return connections === 1 ? 'one connection' : `${connections} connections`;
}
