import {
  cellOf,
  descriptionOf,
  isTrue,
  type Labelled,
  type Layout,
  type LeftOut,
  type ShopProduct,
  type ShopRow,
  type ShopVariant,
} from './shop.ts';

/** Columns by both of the names that Shopify has given them. */
const columns = {
  handle: ['handle', 'url handle'],
  description: ['body (html)', 'description'],
  published: ['published', 'published on online store'],
  sku: ['variant sku', 'sku'],
  quantity: ['variant inventory qty', 'inventory quantity'],
  price: ['variant price', 'price'],
  barcode: ['variant barcode', 'barcode'],
} as const;

const optionNumbers = ['1', '2', '3'];

/** Products as Shopify exports them: a row with a title, and below it one for each further variant or image. */
export const shopify: Layout = {
  delimiter: ',',
  marks: [
    ['handle', 'option1 name'],
    ['url handle', 'option1 name'],
  ],
  reads: new RegExp(
    `^(${Object.values(columns).flat().join('|').replaceAll(/[()]/g, '\\$&')}|title|status|option[123] (name|value|linked to))$`,
  ),
  leaves: {
    'image src': 'images',
    'product image url': 'images',
    'variant image': 'images of variants',
    'variant image url': 'images of variants',
    'variant compare at price': 'compare-at prices',
    'compare-at price': 'compare-at prices',
  },
  names: {
    sku: 'Variant SKU',
    price_value: 'Variant Price',
    quantity: 'Variant Inventory Qty',
    barcode: 'Variant Barcode',
  },
  products: (rows, _options, left) => {
    const groups = new Map<string, ShopRow[]>();
    for (const row of rows) {
      const handle = cellOf(row, ...columns.handle);
      // A row without a handle is a separate product, whose SKU is missing.
      const key = handle === '' ? `\u0000${row.file}:${row.line}` : handle;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    return [...groups.values()].map((group) => productOf(group, left));
  },
};

function productOf(group: readonly ShopRow[], left: LeftOut): ShopProduct {
  const row = group.find((one) => cellOf(one, 'title') !== '') ?? (group[0] as ShopRow);
  const handle = cellOf(row, ...columns.handle);
  const axes = new Map(optionNumbers.map((number) => [number, cellOf(row, `option${number} name`)] as const));
  const hasVariants = [...axes].some(([number, name]) => name !== '' && !isDefault(row, number));
  const sold = group.filter((one) => one === row || isVariant(one));
  const title = cellOf(row, 'title');
  const status = cellOf(row, 'status').toLowerCase();
  const ownSku = hasVariants ? '' : skuOf(row);
  if (!hasVariants)
    for (const one of sold) {
      if (one !== row) left.add('second rows of products without options', handle);
      if (cellOf(one, ...columns.barcode) !== '') left.add('barcodes of products without variants');
    }
  return {
    place: row,
    sku: ownSku === '' ? handle : ownSku,
    fields: {
      title,
      short_description: descriptionOf(cellOf(row, ...columns.description), handle, left),
      price_value: cellOf(row, ...columns.price),
      is_active: ['', 'active'].includes(status) && isTrue(cellOf(row, ...columns.published)),
    },
    quantity: hasVariants ? '' : cellOf(row, ...columns.quantity),
    variants: hasVariants ? sold.map((one) => variantOf(one, axes)) : [],
  };
}

/** `Title` with `Default Title` means a product without options. */
function isDefault(row: ShopRow, number: string): boolean {
  return cellOf(row, `option${number} value`).toLowerCase() === 'default title';
}

/** The other rows of a product have images alone. */
function isVariant(row: ShopRow): boolean {
  const values = optionNumbers.map((number) => `option${number} value`);
  return cellOf(row, ...values, ...columns.sku, ...columns.price) !== '';
}

function variantOf(row: ShopRow, axes: ReadonlyMap<string, string>): ShopVariant {
  const values = [...axes].flatMap(([number, name]) => {
    const value = cellOf(row, `option${number} value`);
    return name === '' || value === '' ? [] : [{ axis: labelled(name), value: labelled(value) }];
  });
  return {
    place: row,
    sku: skuOf(row),
    values,
    fields: {
      price_value: cellOf(row, ...columns.price),
      barcode: withoutApostrophe(cellOf(row, ...columns.barcode)),
      is_active: true,
    },
    quantity: cellOf(row, ...columns.quantity),
  };
}

function skuOf(row: ShopRow): string {
  return withoutApostrophe(cellOf(row, ...columns.sku));
}

/** Shopify writes one before numbers and formulas, so that a spreadsheet leaves them alone. */
function withoutApostrophe(text: string): string {
  return text.replace(/^'(?=[\d=+@-])/, '');
}

function labelled(text: string): Labelled {
  return { text, label: text };
}
