import { compareWithBare } from '../compare-loads.ts';
import { changeLoads, createLoads } from '../loads/write-loads.ts';
import type { Part } from '../part.ts';
import { wholePlatform } from './targets.ts';

/** Creates and changes products, with one writer for each of 32 brands. */
export const productWrites: Part = {
  name: 'product-writes',
  run: async (context) =>
    compareWithBare(context, [
      {
        work: 'product create, 32 connections over 32 brands',
        load: (await createLoads(context)).manyBrands,
        target: wholePlatform,
      },
      {
        work: 'product change, 32 connections over 32 brands',
        load: (await changeLoads(context)).manyBrands,
        target: wholePlatform,
      },
    ]),
};
