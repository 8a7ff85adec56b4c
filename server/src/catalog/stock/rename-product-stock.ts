import type { Transaction } from '../../postgres/transaction.ts';
import { lockStock, noteStockChange } from './brand-stock-store.ts';
import { touchProductStock } from './product-stock-store.ts';
import { renameStockLevels } from './stock-level-store.ts';

/** Writes a product's new SKU to its own levels. Locks the brand's stock, before the caller writes the SKU itself. */
export async function renameProductStock(
  tx: Transaction,
  { brandId, id, sku }: { readonly brandId: number; readonly id: number; readonly sku: string },
): Promise<void> {
  const stock = await lockStock(tx, brandId);
  const levelIds = await renameStockLevels(stock, { productId: id, variantId: null, sku });
  touchProductStock(stock, [id]);
  noteStockChange(stock, levelIds);
}
