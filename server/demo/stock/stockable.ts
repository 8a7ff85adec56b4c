import type { CreatedProduct } from '../products/create-products.ts';
import type { Parent } from '../variants/parent.ts';

/** An owner of stock: a product without variants, or a variant. */
export interface Stockable {
  readonly sku: string;
  readonly productTuId: string;
  /** null for the product itself. */
  readonly variantTuId: string | null;
}

export function stockableVariants(parents: readonly Parent[]): Stockable[] {
  return parents.flatMap(({ tuId: productTuId, variants }) =>
    variants.map(({ sku, tuId }) => ({ sku, productTuId, variantTuId: tuId })),
  );
}

export function stockableProducts(created: readonly CreatedProduct[]): Stockable[] {
  return created.map(({ body, answer }) => ({
    sku: body.sku,
    productTuId: answer.json.tu_id,
    variantTuId: null,
  }));
}
