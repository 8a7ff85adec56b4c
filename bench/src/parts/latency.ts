import { milliseconds } from '../bench-context.ts';
import { measureLoad } from '../load/measure-load.ts';
import { adjustLoads } from '../loads/adjust-loads.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

/** The latency of adjustments on one connection, where there is nothing to share. */
export const adjustLatency: Part = {
  name: 'latency',
  async run(context) {
    const { scale, postgres } = context;
    const { on, requests } = (await adjustLoads(context)).oneBrand;
    const updates = await openDurableUpdates(postgres, 1, scale.largeProducts * 2);
    const adjust = async (seconds: number) => {
      const load = { connections: 1, seconds, requests, expectedStatus: 200 };
      const { p50, cpu } = await measureLoad(on, load);
      return { value: p50, cpu };
    };
    await adjust(scale.warmUpSeconds);
    await updates.latency(scale.warmUpSeconds);
    const compared = await compare(
      scale.rounds,
      () => adjust(scale.roundSeconds),
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
