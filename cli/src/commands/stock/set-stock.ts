import { type Brandport, isBrandportError, type StockAdjust } from '@brandport/client';
import type { BrandOption } from '../../arguments/brand-option.ts';
import { parseInteger } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';

export interface SetStockOptions extends BrandOption {
  readonly sku: string;
  readonly quantity: string;
  readonly expect?: string;
  readonly location?: string;
  readonly product?: string;
  readonly note?: string;
}

export async function setStock(context: CliContext, options: SetStockOptions): Promise<undefined> {
  const { sku, location, note, expect } = options;
  const quantity = parseInteger(options.quantity, '<quantity>');
  const expected = expect === undefined ? undefined : parseInteger(expect, '--expect');
  const { catalog } = await context.writer(options.brand);
  const { productTuId, variantTuId } = await findStockable(catalog, options, context.signal);
  const body: StockAdjust = {
    quantity,
    ...(variantTuId !== null && { variant: variantTuId }),
    ...(location !== undefined && { location }),
    ...(expected !== undefined && { expected_quantity: expected }),
    ...(note !== undefined && { note }),
  };
  context.resumeWith(`The quantity may have been set: \`brandport stock get\` shows it.`);
  try {
    const adjusted = await catalog.stock.adjust(productTuId, body, { signal: context.signal });
    context.output.item(adjusted.level, { id: (level) => level.sku });
  } catch (error) {
    if (isBrandportError(error, 'stock_version_conflict'))
      throw new CliError(`${sku} has ${error.currentQuantity}, not ${expected}. Nothing was changed.`);
    throw error;
  }
}

export interface Stockable {
  readonly productTuId: string;
  /** null for a product without variants. */
  readonly variantTuId: string | null;
}

/**
 * Finds what has a SKU: by its stock, else as a product, else as a variant of the given product.
 * @throws CliError if nothing has it
 */
async function findStockable(
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
