import type { Brandport } from '@brandport/client';
import { CliError } from '../../errors/cli-error.ts';

export interface Stockable {
  readonly productTuId: string;
  /** null for a product without variants. */
  readonly variantTuId: string | null;
}

/**
 * Finds what has a SKU: by its stock, else as a product, else as a variant of the given product.
 * @throws CliError if nothing has it
 */
export async function findStockable(
  catalog: Brandport['catalog'],
  { sku, product }: { readonly sku: string; readonly product?: string },
  signal: AbortSignal,
): Promise<Stockable> {
  const call = { signal };
  const [level] = (await catalog.stock.levels({ sku, per_page: 1 }, call).first()).data;
  if (level !== undefined) return { productTuId: level.product_tu_id, variantTuId: level.variant_tu_id };
  if (product !== undefined) {
    const { variants } = await catalog.products.get(product, call);
    const variant = variants.find((candidate) => candidate.sku === sku);
    if (variant === undefined) throw new CliError(`The product ${product} has no variant '${sku}'.`);
    return { productTuId: product, variantTuId: variant.tu_id };
  }
  const [found] = (await catalog.products.list({ sku, per_page: 1 }, call).first()).data;
  if (found !== undefined) return { productTuId: found.tu_id, variantTuId: null };
  throw new CliError(
    `No product and no stock has the SKU '${sku}'. For a variant without stock, add --product <tu_id>.`,
  );
}
