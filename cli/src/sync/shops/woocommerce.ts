import {
  cellOf,
  descriptionOf,
  type Layout,
  type LeftOut,
  type ShopProduct,
  type ShopRow,
  type ShopVariant,
} from './shop.ts';

/** Types whose rows are not products that have stock. */
const otherTypes: ReadonlySet<string> = new Set(['grouped', 'external', 'bundle', 'composite']);

const barcode = 'gtin, upc, ean, or isbn';

/** Products as WooCommerce exports them: variations are rows that name their parent. */
export const woocommerce: Layout = {
  delimiter: ',',
  marks: [
    ['type', 'regular price'],
    ['type', 'attribute 1 name'],
  ],
  reads:
    /^(id|type|sku|name|published|short description|description|stock|regular price|parent|gtin, upc, ean, or isbn|attribute \d+ (name|value\(s\)|visible|global|default))$/,
  leaves: {
    images: 'rows with images',
    categories: 'rows with categories',
    'sale price': 'sale prices',
  },
  names: { sku: 'SKU', title: 'Name', price_value: 'Regular price', quantity: 'Stock' },
  products: (rows, _options, left) => {
    const products = new Map<string, { row: ShopRow; variations: ShopRow[] }>();
    const bySku = new Map<string, string>();
    for (const row of rows.filter((one) => !typesOf(one).includes('variation'))) {
      const other = typesOf(row).find((type) => otherTypes.has(type));
      if (other !== undefined) left.add(`${other} products`, skuOf(row));
      else {
        const key = idOf(row);
        products.set(key, { row, variations: [] });
        if (cellOf(row, 'sku') !== '') bySku.set(skuOf(row), key);
      }
    }
    for (const row of rows.filter((one) => typesOf(one).includes('variation'))) {
      const parent = unescaped(cellOf(row, 'parent'));
      const product = products.get(/^id:\d+$/.test(parent) ? parent : (bySku.get(parent) ?? ''));
      if (product === undefined) left.add('variations whose product is not in the files', skuOf(row));
      else product.variations.push(row);
    }
    return [...products.values()].map(({ row, variations }) => productOf(row, variations, left));
  },
};

/** `simple, downloadable, virtual` is a list. */
function typesOf(row: ShopRow): string[] {
  return cellOf(row, 'type')
    .split(',')
    .map((type) => type.trim().toLowerCase());
}

/** Returns `id:44`, as `Parent` names a product without a SKU; without an id, the place identifies the row. */
function idOf(row: ShopRow): string {
  const id = cellOf(row, 'id');
  return id === '' ? `${row.file}:${row.line}` : `id:${id}`;
}

function skuOf(row: ShopRow): string {
  const [sku, id] = [unescaped(cellOf(row, 'sku')), cellOf(row, 'id')];
  return sku === '' && id !== '' ? `id-${id}` : sku;
}

/** WooCommerce writes an apostrophe before what a spreadsheet would take for a formula. */
function unescaped(text: string): string {
  return text.replace(/^'(?=[=+@-])/, '');
}

function productOf(row: ShopRow, variations: readonly ShopRow[], left: LeftOut): ShopProduct {
  const sku = skuOf(row);
  const description = cellOf(row, 'short description', 'description');
  const hasVariants = variations.length > 0;
  if (!hasVariants && attributesOf(row).size > 0) left.add('attributes of products without variants', sku);
  if (!hasVariants && cellOf(row, barcode) !== '') left.add('barcodes of products without variants');
  return {
    place: row,
    sku,
    fields: {
      title: unescaped(cellOf(row, 'name')),
      short_description: descriptionOf(unescaped(description), sku, left),
      price_value: cellOf(row, 'regular price'),
      is_active: isPublished(row),
    },
    quantity: cellOf(row, 'stock'),
    variants: variantsOf(sku, variations, left),
  };
}

/** 0 is private and -1 a draft. */
function isPublished(row: ShopRow): boolean {
  return cellOf(row, 'published') === '1';
}

/**
 * An attribute that a variation leaves empty means any of its values. One that all variations of a product leave empty tells
 * none of them apart and is no axis; a variation that alone leaves one empty is left out, since no variant is like it.
 */
function variantsOf(sku: string, variations: readonly ShopRow[], left: LeftOut): ShopVariant[] {
  const rows = variations.map((row) => ({ row, attributes: attributesOf(row) }));
  const names = new Set(rows.flatMap(({ attributes }) => [...attributes.keys()]));
  const axes = [...names].filter((name) =>
    rows.some(({ attributes }) => (attributes.get(name) ?? '') !== ''),
  );
  for (const name of names)
    if (!axes.includes(name)) left.add('attributes that all variations leave open', `${name} of ${sku}`);
  return rows.flatMap(({ row, attributes }) => {
    const open = axes.filter((name) => (attributes.get(name) ?? '') === '');
    if (axes.length === 0 || open.length > 0) {
      const what = open.length === 0 ? 'no attributes' : `any ${open.join(', ')}`;
      left.add('variations that leave an attribute open', `${skuOf(row)}: ${what}`);
      return [];
    }
    const values = axes.map((name) => {
      const value = attributes.get(name) ?? '';
      return { axis: { text: name, label: name }, value: { text: value, label: value } };
    });
    const quantity = cellOf(row, 'stock');
    const isShared = quantity.toLowerCase() === 'parent';
    if (isShared) left.add('variations that share the stock of their product', skuOf(row));
    return [
      {
        place: row,
        sku: unescaped(cellOf(row, 'sku')),
        values,
        fields: {
          price_value: cellOf(row, 'regular price'),
          barcode: cellOf(row, barcode),
          is_active: isPublished(row),
        },
        quantity: isShared ? '' : quantity,
      },
    ];
  });
}

/** Returns the values of the attributes of a variation by name. */
function attributesOf(row: ShopRow): Map<string, string> {
  const names = [...row.cells].flatMap(([column, name]) => {
    const [, number] = /^attribute (\d+) name$/.exec(column) ?? [];
    return number === undefined
      ? []
      : [[unescaped(name), cellOf(row, `attribute ${number} value(s)`)] as const];
  });
  return new Map(names.map(([name, value]) => [name, unescaped(value)]));
}
