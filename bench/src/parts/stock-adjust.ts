import { compareWithBare, compareWithFloor } from '../compare-loads.ts';
import { adjustLoads } from '../loads/write-loads.ts';
import type { Part } from '../part.ts';
import { wholePlatform } from './targets.ts';

/** Adjusts stock: on 32 connections of 32 brands, of one brand and of one level, and on one connection. */
export const stockAdjust: Part = {
  name: 'adjust',
  async run(context) {
    const { manyBrands, oneBrand, oneLevel } = await adjustLoads(context);
    const work = 'stock adjust, spread over SKUs of 32 brands, 32 connections';
    return [
      ...(await compareWithBare(context, [
        { work, load: manyBrands, target: wholePlatform },
        {
          work: 'stock adjust, spread over SKUs of one brand, 32 connections',
          load: oneBrand,
          target: wholePlatform,
        },
        { work: 'stock adjust, 32 at a time of one level', load: oneLevel, target: null },
        {
          work: 'stock adjust, one connection',
          load: { ...oneBrand, connections: 1 },
          target: { of: 'figure', atLeast: 20, why: 'an OMS confirms an order line within 50 ms' },
        },
      ])),
      await compareWithFloor(context, { work, load: manyBrands, target: null }),
    ];
  },
};
