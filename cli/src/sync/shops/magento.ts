import {
  cellOf,
  descriptionOf,
  type Layout,
  type LeftOut,
  type ShopProduct,
  type ShopRow,
  type ShopVariant,
} from './shop.ts';

/** Types that are sold as they are. */
const plainTypes: ReadonlySet<string> = new Set(['simple', 'virtual', 'downloadable', 'giftcard', '']);

/**
 * Products as Magento exports them: a `configurable` one names its variants, which are rows of their own anywhere in the
 * file; rows with a store view have the texts of a language.
 */
export const magento: Layout = {
  delimiter: ',',
  marks: [['sku', 'product_type']],
  reads:
    /^(sku|store_view_code|product_type|name|description|short_description|price|product_online|qty|additional_attributes|configurable_variations|configurable_variation_labels)$/,
  leaves: {
    base_image: 'rows with images',
    categories: 'rows with categories',
    special_price: 'special prices',
  },
  names: { title: 'name', price_value: 'price', quantity: 'qty' },
  products: (rows, { languages = {} }, left) => {
    const base = new Map<string, ShopRow>();
    const views = new Map<string, ShopRow[]>();
    const products: ShopRow[] = [];
    for (const row of rows) {
      const [sku, view] = [cellOf(row, 'sku'), cellOf(row, 'store_view_code')];
      if (view === '') {
        if (!base.has(sku)) base.set(sku, row);
        products.push(row);
      } else if (languages[view] === undefined)
        left.add(`rows of the store view ${view}, which --language ${view}=TAG takes`);
      else views.set(sku, [...(views.get(sku) ?? []), row]);
    }
    const configurable = products.filter((row) => cellOf(row, 'product_type') === 'configurable');
    const children = new Set(configurable.flatMap((row) => variationsOf(row).map(({ sku }) => sku)));
    return products.flatMap((row): ShopProduct[] => {
      const [sku, type] = [cellOf(row, 'sku'), cellOf(row, 'product_type')];
      if (type !== 'configurable' && !plainTypes.has(type)) {
        left.add(`${type} products`, sku);
        return [];
      }
      const texts = views.get(sku) ?? [];
      if (children.has(sku)) {
        for (const _ of texts) left.add('texts of variants');
        return [];
      }
      const variants = type === 'configurable' ? variantsOf(row, base, left) : [];
      const fields = {
        ...fieldsOf(row, texts, languages, left),
        is_active: cellOf(row, 'product_online') === '1',
      };
      return [
        { place: row, sku, fields, quantity: type === 'configurable' ? '' : cellOf(row, 'qty'), variants },
      ];
    });
  },
};

function fieldsOf(
  row: ShopRow,
  views: readonly ShopRow[],
  languages: Readonly<Record<string, string>>,
  left: LeftOut,
) {
  const sku = cellOf(row, 'sku');
  const description = (one: ShopRow) =>
    descriptionOf(cellOf(one, 'short_description', 'description'), sku, left);
  const texts = views.flatMap((view) => {
    const tag = languages[cellOf(view, 'store_view_code')] ?? '';
    return [
      [`title:${tag}`, cellOf(view, 'name')],
      [`short_description:${tag}`, description(view)],
    ];
  });
  return {
    title: cellOf(row, 'name'),
    short_description: description(row),
    price_value: cellOf(row, 'price'),
    ...(Object.fromEntries(texts) as Record<string, string>),
  };
}

interface Variation {
  readonly sku: string;
  /** Attribute to value. */
  readonly values: ReadonlyMap<string, string>;
}

/** Reads `sku=A-S,size=S|sku=A-M,size=M`. */
function variationsOf(row: ShopRow): Variation[] {
  const parts = cellOf(row, 'configurable_variations')
    .split('|')
    .filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const values = pairsOf(part);
    const sku = values.get('sku') ?? '';
    values.delete('sku');
    return { sku, values };
  });
}

/** Reads `size=S,color=Black`. A comma is part of a value unless a name follows it. */
function pairsOf(text: string): Map<string, string> {
  const pairs = text.split(/,(?=\s*[A-Za-z0-9_]+=)/).map((pair) => pair.split(/=(.*)/s));
  return new Map(pairs.map(([name = '', value = '']) => [name.trim(), value.trim()]));
}

function variantsOf(parent: ShopRow, base: ReadonlyMap<string, ShopRow>, left: LeftOut): ShopVariant[] {
  const labels = pairsOf(cellOf(parent, 'configurable_variation_labels'));
  const variations = variationsOf(parent);
  const axes = [...new Set(variations.flatMap(({ values }) => [...values.keys()]))];
  return variations.flatMap(({ sku, values }) => {
    const row = base.get(sku);
    if (row === undefined) {
      left.add('variations without a row', sku);
      return [];
    }
    const attributes = pairsOf(cellOf(row, 'additional_attributes'));
    const given = axes.flatMap((axis) => {
      const value = values.get(axis) ?? attributes.get(axis) ?? '';
      const label = labels.get(axis) ?? '';
      return value === ''
        ? []
        : [
            {
              axis: { text: axis, label: label === '' ? axis : label },
              value: { text: value, label: value },
            },
          ];
    });
    const fields = { price_value: cellOf(row, 'price'), is_active: cellOf(row, 'product_online') === '1' };
    return [{ place: row, sku, values: given, fields, quantity: cellOf(row, 'qty') }];
  });
}
