import { PageAnchors } from '../../../server/src/api/page-anchors.ts';
import { pageOf } from '../../../server/src/api/pagination.ts';
import { parseSort } from '../../../server/src/catalog/products/product-sort.ts';
import { listProductsUnless } from '../../../server/src/catalog/products/queries/product-list.ts';
import type { ProductFilter } from '../../../server/src/catalog/products/queries/select-product-page.ts';
import type { Database } from '../../../server/src/postgres/database.ts';
import { milliseconds } from '../bench-context.ts';
import { type Part, type Ratio, ratioOf } from '../part.ts';
import { compare, median, millisecondsOf } from '../rounds.ts';
import { firstPage } from '../yardsticks/bare-statements.ts';

const filters: readonly (readonly [string, ProductFilter, string])[] = [
  ['unfiltered', {}, ''],
  ['by is_active', { isActive: true }, 'and f.is_active = true'],
  ['by has_variants', { hasVariants: true }, 'and f.has_variants = true'],
];

/**
 * Measures the cost of the exact total of a page of 50 in brand B: the product's statement (page, total and version)
 * compared with the page alone. Runs through the driver, one statement at a time.
 */
export const listTotals: Part = {
  name: 'totals',
  async run({ client, large, scale }) {
    const repeats = scale.name === 'full' ? 200 : 20;
    const timed = async (statement: object) => {
      const times: number[] = [];
      for (let n = 0; n < repeats; n += 1)
        times.push(await millisecondsOf(() => client.query(statement as never)));
      return median(times);
    };
    const ratios: Ratio[] = [];
    for (const [name, filter, condition] of filters) {
      const withTotal = await statementOf(large.brandId, filter);
      const without = firstPage(large.brandId, condition);
      await timed(withTotal);
      await timed(without);
      const compared = await compare(
        scale.rounds,
        () => timed(withTotal),
        () => timed(without),
      );
      const [total, page] = [compared.a.value, compared.b.value];
      ratios.push(
        ratioOf(compared, {
          work: `exact total, ${name}: adds ${milliseconds(Math.max(0, total - page))} (target: under 0.2 ms)`,
          format: milliseconds,
          yardstick: (value) => `the page alone ${milliseconds(value)}`,
          target: { atMost: (page + 0.2) / page },
        }),
      );
    }
    return ratios;
  },
};

/** Records the statement that the product sends for the first page of a list. */
async function statementOf(brandId: number, filter: ProductFilter): Promise<object> {
  let sent = {};
  const database = {
    run: async (statement: object) => {
      sent = statement;
      return [];
    },
  } as unknown as Database;
  const page = pageOf({ page: 1, per_page: 50 });
  await listProductsUnless({ database, anchors: new PageAnchors() }, brandId, {
    filter,
    sort: parseSort(undefined),
    page,
    known: null,
  });
  return { ...sent };
}
