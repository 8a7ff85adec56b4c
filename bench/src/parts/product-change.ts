import { loadConnections, perSecond, rate, warmUp } from '../bench-context.ts';
import { changeLoad } from '../loads/change-load.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

/** One writer for each of 32 brands. */
export const productChange: Part = {
  name: 'change',
  async run(context) {
    const { scale } = context;
    const load = await changeLoad(context);
    const updates = await openDurableUpdates(context.postgres, loadConnections, scale.largeProducts * 2);
    await warmUp(context, load);
    await updates.rate(scale.warmUpSeconds);
    const compared = await compare(
      scale.rounds,
      () => rate(context, load),
      () => updates.rate(scale.roundSeconds),
    );
    await updates.close();
    return [
      ratioOf(compared, {
        work: 'product change, 32 connections over 32 brands',
        format: perSecond,
        yardstick: (value) => `durable one-row updates ${perSecond(value, 'rows')}`,
        target: null,
      }),
    ];
  },
};
