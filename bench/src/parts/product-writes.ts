import { compareLoads, compareWrites } from '../compare-loads.ts';
import { repeatedDetails } from '../loads/read-loads.ts';
import { createLoads, replayLoad } from '../loads/write-loads.ts';
import type { Part } from '../part.ts';

/** One writer for each of 32 brands. */
export const productCreate: Part = {
  name: 'create',
  run: async (context) =>
    compareWrites(context, [
      {
        work: 'product create, 32 connections over 32 brands',
        load: (await createLoads(context)).manyBrands,
        target: { atLeast: 0.3 },
      },
    ]),
};

/** Compares replays with reads. */
export const idempotentReplay: Part = {
  name: 'replay',
  async run(context) {
    const [replay, detail] = [await replayLoad(context), await repeatedDetails(context)];
    return [
      await compareLoads(context, {
        work: 'idempotent replay of a creation',
        loads: () => [replay, detail],
        yardstick: 'product detail',
        target: { atLeast: 0.7 },
      }),
    ];
  },
};
