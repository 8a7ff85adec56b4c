import { latency, milliseconds } from '../bench-context.ts';
import { compareWrites } from '../compare-loads.ts';
import { adjustLoads } from '../loads/write-loads.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

/** Adjusts stock on 32 connections: of 32 brands, of one brand, and of one level. */
export const stockAdjust: Part = {
  name: 'adjust',
  async run(context) {
    const { manyBrands, oneBrand, oneLevel } = await adjustLoads(context);
    return compareWrites(context, [
      {
        work: 'stock adjust, spread over SKUs of 32 brands, 32 connections',
        load: manyBrands,
        target: { atLeast: 0.3 },
      },
      {
        work: 'stock adjust, spread over SKUs of one brand, 32 connections',
        load: oneBrand,
        target: { atLeast: 0.25 },
      },
      { work: 'stock adjust, 32 at a time of one level, 32 connections', load: oneLevel, target: null },
    ]);
  },
};

/** The latency of adjustments on one connection, where there is nothing to share. */
export const adjustLatency: Part = {
  name: 'latency',
  async run(context) {
    const { scale, postgres } = context;
    const load = { ...(await adjustLoads(context)).oneBrand, connections: 1 };
    const updates = await openDurableUpdates(postgres, 1, scale.largeProducts * 2);
    await latency(context, { ...load, seconds: scale.warmUpSeconds });
    await updates.latency(scale.warmUpSeconds);
    const compared = await compare(
      scale.rounds,
      () => latency(context, load),
      () => updates.latency(scale.roundSeconds),
    );
    await updates.close();
    return [
      ratioOf(compared, {
        work: 'latency of a stock adjust on one connection, p50',
        format: milliseconds,
        yardstick: (value) => `durable one-row update ${milliseconds(value)}`,
        target: null,
      }),
    ];
  },
};
