import type { Product, ProductListItem } from '@brandport/client';

/** A product of the list, or with its detail: only the latter has axes and variants. */
export type Exported = ProductListItem | Product;

/** A row of a sync: only what it states. Axes are in the order of the product. */
export type ExportRow = Readonly<Record<string, string | number | boolean>>;

/** The columns that the CSV of products has in any case. */
export const productColumns = [
  'sku',
  'title',
  'short_description',
  'default_language',
  'price_value',
  'price_currency',
  'tax_class',
  'is_active',
] as const;

/** Those of variants. */
export const variantColumns = ['product_sku', 'sku', 'price_value', 'barcode', 'is_active'] as const;

/** Returns the row of a product; null without a SKU, by which a sync names it. */
export function productRow(product: Exported): ExportRow | null {
  if (product.sku === null) return null;
  const texts = Object.entries(product.versions).flatMap(
    ([tag, { title, short_description: description }]) => [
      [`title:${tag}`, title],
      [`short_description:${tag}`, description],
    ],
  );
  const axes = 'axes' in product ? product.axes : [];
  return stated([
    ...productColumns.map((name) => [name, product[name]]),
    ...texts,
    ...axes.map(({ code, values }) => [`axis:${code}`, values.map(({ value }) => value).join('|')]),
  ]);
}

/** Returns the rows of the variants, with a price where it is the variant's own. */
export function variantRows(product: Exported): (ExportRow | null)[] {
  if (!('variants' in product)) return [];
  return product.variants.map(({ sku, axis_values: axisValues, price, barcode, is_active: isActive }) => {
    if (product.sku === null || sku === null) return null;
    return stated([
      ['product_sku', product.sku],
      ['sku', sku],
      ...Object.entries(axisValues).map(([code, value]) => [`axis:${code}`, value]),
      ['price_value', price.inherited ? null : price.value],
      ['barcode', barcode],
      ['is_active', isActive],
    ]);
  });
}

/** Omits what a sync leaves alone: null, and texts of white space alone, which it would refuse. */
function stated(cells: readonly (readonly unknown[])[]): ExportRow {
  return Object.fromEntries(cells.filter(([, value]) => value != null && String(value).trim() !== ''));
}
