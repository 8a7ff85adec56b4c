import { columnList } from '../../postgres/column-list.ts';
import type { ProductFields } from './product.ts';

/** The columns that clients set, in the order of responses: from this list statements, rows and the wire are made. */
export const productFields = columnList<ProductFields>({
  sku: { column: 'sku', sqlType: 'text' },
  type: { column: 'type', sqlType: 'text' },
  title: { column: 'title', sqlType: 'text' },
  shortDescription: { column: 'short_description', sqlType: 'text' },
  defaultLanguage: { column: 'default_language', sqlType: 'text' },
  translations: { column: 'versions', sqlType: 'jsonb' },
  priceValue: { column: 'price_value', sqlType: 'numeric' },
  priceCurrency: { column: 'price_currency', sqlType: 'text' },
  taxClass: { column: 'tax_class', sqlType: 'text' },
  isActive: { column: 'is_active', sqlType: 'boolean' },
});
