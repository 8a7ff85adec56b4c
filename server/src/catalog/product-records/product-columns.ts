import { type Column, columnList } from '../../postgres/column-list.ts';
import {
  type PackedColumn,
  type Positions,
  packed,
  type UnpackedRow,
  valueAt,
} from '../../postgres/packed-rows.ts';
import type { Product, ProductFields, ProductTranslations } from './product.ts';

/** A column of `products` that a client may set; the field has its name in requests and responses too. */
interface ProductColumn<T> extends Column {
  readonly packed: PackedColumn<T>;
}

const column = <T>(
  name: string,
  sqlType: string,
  pack: (sql: string) => PackedColumn<T>,
): ProductColumn<T> => ({ column: name, sqlType, packed: pack(`p.${name}`) });

/** The columns that clients set, in the order of responses: from this list statements, rows and the wire are made. */
const productColumns = {
  sku: column('sku', 'text', packed.text),
  type: column('type', 'text', packed.code<'simple'>),
  title: column('title', 'text', packed.text),
  shortDescription: column('short_description', 'text', packed.textOrNull),
  defaultLanguage: column('default_language', 'text', packed.code<string>),
  translations: column('versions', 'jsonb', packed.json<ProductTranslations>),
  priceValue: column('price_value', 'numeric', packed.number),
  priceCurrency: column('price_currency', 'text', packed.code<string>),
  taxClass: column('tax_class', 'text', packed.text),
  isActive: column('is_active', 'boolean', packed.boolean),
} satisfies { readonly [Field in keyof ProductFields]: ProductColumn<ProductFields[Field]> };

type Field = keyof ProductFields;
const fieldNames = Object.keys(productColumns) as readonly Field[];

export const productFields = columnList<ProductFields>(productColumns);

const keyColumns = {
  id: packed.number('p.id'),
  tuId: packed.code('p.tu_id'),
  hasVariants: packed.boolean('p.has_variants'),
  createdAt: packed.instant('p.created_at'),
  updatedAt: packed.instant('p.updated_at'),
};

export const packedProduct = {
  ...keyColumns,
  ...(Object.fromEntries(fieldNames.map((field) => [field, productColumns[field].packed])) as {
    readonly [F in Field]: (typeof productColumns)[F]['packed'];
  }),
};

export function productAt(row: UnpackedRow, at: Positions<typeof packedProduct>, brandId: number): Product {
  const product: Record<string, unknown> = {
    brandId,
    id: valueAt(row, at.id),
    tuId: valueAt(row, at.tuId),
    hasVariants: valueAt(row, at.hasVariants),
    createdAt: new Date(valueAt(row, at.createdAt)),
    updatedAt: new Date(valueAt(row, at.updatedAt)),
  };
  for (const field of fieldNames) product[field] = row[at[field]];
  return product as unknown as Product;
}
