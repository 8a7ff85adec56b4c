import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { milliseconds, rate, warmUp } from '../bench-context.ts';
import { filledBrand, sampleProducts } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';
import { adjustRequests } from '../loads/write-loads.ts';
import type { Part, Ratio } from '../part.ts';
import { type GrowthLine, growthPlot } from '../report/growth-plot.ts';

/**
 * Measures the cost of one request in catalogs of a thousand to a million products: milliseconds of machine time, which
 * is 1,000 divided by the rate of a closed loop. Each size is its own brand; a tenth of the products have variants.
 */
export const growth: Part = {
  name: 'growth',
  async run(context) {
    const { client, service, scale, outDir } = context;
    const lines: GrowthLine[] = [
      { name: 'product detail', points: [] },
      { name: 'list of 50', points: [] },
      { name: 'stock adjust', points: [] },
    ];
    for (const size of scale.growth) {
      const isLarge = size === scale.largeProducts;
      const brand = isLarge
        ? context.large
        : await filledBrand(service, client, `Growth ${size}`, { products: size, withVariants: size / 10 });
      const tuIds = await sampleProducts(client, brand, 1_600, true);
      const path = '/v1/client/catalog/products';
      const works: LoadRequest[][] = [
        tuIds.map((tuId) => ({ path: `${path}/${tuId}`, headers: brand.headers })),
        [{ path: `${path}?per_page=50`, headers: brand.headers }],
        await adjustRequests(context, brand, 1_600),
      ];
      for (const [n, requests] of works.entries()) {
        const load = { on: service.endpoint, requests };
        await warmUp(context, load);
        const { value } = await rate(context, { ...load, seconds: scale.roundSeconds * 2 });
        lines[n]?.points.push({ size, cost: 1_000 / value });
      }
    }
    await writeFile(join(outDir, `${scale.name}-growth.svg`), growthPlot(lines));
    return lines.map(({ name, points }): Ratio => {
      const [first, last] = [points[0], points.at(-1)];
      const [at, before] = [last?.cost ?? Number.NaN, first?.cost ?? Number.NaN];
      return {
        work: `${name}: ${last?.size.toLocaleString('en-US')} products against ${first?.size.toLocaleString('en-US')}`,
        measured: `${milliseconds(at)} of the machine`,
        yardstick: milliseconds(before),
        ratio: at / before,
        rounds: [],
        target: null,
      };
    });
  },
};
