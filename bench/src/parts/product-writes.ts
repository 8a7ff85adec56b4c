import { compareWrites } from '../compare-loads.ts';
import { createLoads } from '../loads/write-loads.ts';
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
