import { type BenchContext, type Load, loadConnections, type Subject } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import { type BenchBrand, filledBrand } from '../data/catalog-data.ts';
import { listLoads, repeatedDetails } from '../loads/read-loads.ts';
import { adjustLoads, adjustsOfBrands } from '../loads/write-loads.ts';
import type { Part, Ratio } from '../part.ts';
import { growth } from './targets.ts';

/** The same work in a brand of 1,000, 100,000 and 1,000,000 products, and spread over 1, 32 and 1,000 brands. */
export const growthOfData: Part = {
  name: 'growth',
  async run(context) {
    const { service, client, scale, small, large } = context;
    const products = scale.largeProducts / 10;
    const medium = await filledBrand(service, client, 'C', { products, withVariants: products / 10 });
    const ratios: Ratio[] = [];
    for (const [brand, size] of [
      [medium, products],
      [large, scale.largeProducts],
    ] as const)
      ratios.push(...(await againstSmall(context, brand, small, size)));
    const brands = scale.name === 'full' ? 1_000 : 40;
    const many = await adjustsOfBrands(context, brands, 20);
    const { manyBrands, oneBrand } = await adjustLoads({ ...context, large: small });
    const count = brands.toLocaleString('en-US');
    return [
      ...ratios,
      await compareLoads(context, {
        work: `stock adjust, spread over ${count} brands`,
        loads: () => [many, manyBrands],
        yardstick: `spread over ${loadConnections} brands`,
        target: growth,
      }),
      await compareLoads(context, {
        work: 'stock adjust, all of one brand',
        loads: () => [oneBrand, manyBrands],
        yardstick: `spread over ${loadConnections} brands`,
        target: growth,
      }),
    ];
  },
};

/** Compares reads and adjustments of a brand with those of the brand of 1,000 products. */
async function againstSmall(
  context: BenchContext,
  brand: BenchBrand,
  small: BenchBrand,
  size: number,
): Promise<Ratio[]> {
  const products = `of ${size.toLocaleString('en-US')} products`;
  const yardstick = `a brand of ${context.scale.smallProducts.toLocaleString('en-US')}`;
  const of = (subject: BenchBrand): Subject => ({ ...context, large: subject });
  const [lists, smallLists] = [listLoads(of(brand)), listLoads(of(small))];
  // As many products of each, so that caches hold as many.
  const some = Math.min(context.scale.smallProducts, 1_000);
  const [details, smallDetails] = [
    await repeatedDetails(of(brand), some),
    await repeatedDetails(of(small), some),
  ];
  const [adjusts, smallAdjusts] = [await adjustLoads(of(brand)), await adjustLoads(of(small))];
  const compareOne = (work: string, loads: (round: number) => readonly [Load, Load]) =>
    compareLoads(context, { work: `${work} in a brand ${products}`, loads, yardstick, target: growth });
  return [
    await compareOne('list of 50, each query once', (round) => [lists.once(round), smallLists.once(round)]),
    await compareOne('product detail, read repeatedly', () => [details, smallDetails]),
    await compareOne('stock adjust', () => [adjusts.oneBrand, smallAdjusts.oneBrand]),
  ];
}
