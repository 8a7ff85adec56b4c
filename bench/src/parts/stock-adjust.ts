import { compareWrites } from '../compare-loads.ts';
import { adjustLoads } from '../loads/write-loads.ts';
import type { Part } from '../part.ts';

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
