import { columnList } from '../../postgres/column-list.ts';
import type { VariantFields } from './variant.ts';

/** The columns of `variants` that clients set, by field: the one list from which statements and rows are made. */
export const variantFields = columnList<VariantFields>({
  sku: { column: 'sku', sqlType: 'text' },
  barcode: { column: 'barcode', sqlType: 'text' },
  priceValue: { column: 'price_value', sqlType: 'numeric' },
  isActive: { column: 'is_active', sqlType: 'boolean' },
});
