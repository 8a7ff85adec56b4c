import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { maxCombinations } from './generation.ts';
import { parentColumns } from './queries/variants-of-product.ts';
import type { VariantParent } from './variant.ts';
import { type CountedProduct, countedProduct } from './variant-facts-store.ts';

export interface GenerationFacts {
  readonly product: CountedProduct;
  readonly parent: VariantParent;
  readonly selection: AxisSelection;
  readonly productSku: string;
  /** The combinations of its live variants; of more than a generation covers, one more than that. */
  readonly taken: ReadonlySet<string>;
  /** The largest position of its live variants; -1 if there are none. */
  readonly lastPosition: number;
}

interface FactsRow extends Omit<GenerationFacts, 'taken' | 'lastPosition'> {
  /** The one with the largest position first. */
  readonly taken: readonly { readonly combination: string; readonly position: number }[];
}

/** Returns null if the brand has no such product. */
export async function readGenerationFacts(
  tx: Transaction,
  { brandId, productTuId }: { readonly brandId: number; readonly productTuId: string },
): Promise<GenerationFacts | null> {
  const [row] = await tx.run(
    statement<FactsRow>(
      'read_generation_facts',
      `select ${countedProduct} as product, ${parentColumns}, p.sku as "productSku", (
         select coalesce(json_agg(json_build_object('combination', v.combination, 'position', v.position)), '[]')
         from (
           select v.combination, v.position from variants v
           where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
           order by v.position desc, v.id desc limit ${maxCombinations + 1}
         ) v
       ) as taken
       from products p
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (row === undefined) return null;
  const { taken, ...facts } = row;
  const combinations = new Set(taken.map(({ combination }) => combination));
  return { ...facts, taken: combinations, lastPosition: taken[0]?.position ?? -1 };
}
