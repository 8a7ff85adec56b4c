import type { StockAdjust } from '@brandport/client';
import { isBrandportError } from '@brandport/client';
import type { BrandOption } from '../../arguments/brand-option.ts';
import { parseInteger } from '../../arguments/parse-number.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { findStockable } from './find-stockable.ts';

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
