import { InputError } from '../../errors.ts';
import { AkeneoFiles } from './akeneo-files.ts';
import {
  cellOf,
  descriptionOf,
  isTrue,
  type Labelled,
  type Layout,
  type LeftOut,
  type ShopOptions,
  type ShopProduct,
  type ShopRow,
  type ShopVariant,
} from './shop.ts';

/**
 * Exports of Akeneo: products, and with them product models of one or two levels, family variants, options and attributes. A
 * row of which file it is shows by its columns. Each attribute may be an axis, so all columns are read.
 */
export const akeneo: Layout = {
  delimiter: ';',
  marks: [
    ['sku', 'enabled'],
    ['code', 'family_variant'],
    ['code', 'variant-axes_1'],
  ],
  reads: /^(?!categories$|picture$|image$)/,
  leaves: { categories: 'rows with categories', picture: 'rows with pictures', image: 'rows with pictures' },
  names: {},
  products: (rows, options, left) => new Reader(rows, options, left).products(),
};

class Reader {
  readonly #options: ShopOptions;
  readonly #left: LeftOut;
  readonly #files: AkeneoFiles;
  /** In lower case, as all columns. */
  readonly #currency: string | null;

  constructor(rows: readonly ShopRow[], options: ShopOptions, left: LeftOut) {
    this.#options = options;
    this.#left = left;
    this.#files = new AkeneoFiles(rows);
    this.#currency = this.#files.currency(options.currency);
  }

  products(): ShopProduct[] {
    const children = new Map<ShopRow, ShopVariant[]>();
    const alone: ShopProduct[] = [];
    for (const row of this.#files.products) {
      const parents = this.#files.parentsOf(row);
      const root = parents.at(-1);
      if (root === undefined) alone.push({ ...this.#item([row]), variants: [] });
      else children.set(root, [...(children.get(root) ?? []), this.#variantOf(row, parents)]);
    }
    const roots = [...this.#files.models.values()].filter((row) => cellOf(row, 'parent') === '');
    const models = roots.map((row): ShopProduct => {
      const variants = children.get(row) ?? [];
      const { fields, ...item } = this.#item([row]);
      const price =
        fields['price_value'] === '' ? (variants[0]?.fields['price_value'] ?? '') : fields['price_value'];
      const isActive = variants.some((variant) => variant.fields['is_active'] === true);
      return { ...item, fields: { ...fields, price_value: price, is_active: isActive }, variants };
    });
    const title = (this.#options.title ?? 'name').toLowerCase();
    const read = [title, 'description', `price-${this.#currency}`];
    for (const column of this.#files.otherColumns(read)) this.#left.addColumn(column);
    return [...alone, ...models];
  }

  /** Returns what a product states, or else one of its models. */
  #item(rows: readonly [ShopRow, ...ShopRow[]]) {
    const [row] = rows;
    const sku = cellOf(row, 'sku', 'identifier', 'code');
    const texts = this.#textsOf(row, sku);
    const price = rows.map((one) => cellOf(one, `price-${this.#currency}`)).find((text) => text !== '') ?? '';
    const fields: Record<string, string | boolean> = {
      ...texts,
      price_value: price,
      is_active: isTrue(cellOf(row, 'enabled')),
    };
    if (price !== '' && this.#currency !== null) fields['price_currency'] = this.#currency.toUpperCase();
    return { place: row, sku, fields, quantity: '' };
  }

  #textsOf(row: ShopRow, sku: string): Record<string, string> {
    const attribute = (this.#options.title ?? 'name').toLowerCase();
    const texts: Record<string, string> = {};
    const add = (column: string, text: string) => {
      if (texts[column] === undefined) texts[column] = text;
      else this.#left.add('texts of further channels');
    };
    for (const [name, field] of [
      [attribute, 'title'],
      ['description', 'short_description'],
    ] as const)
      for (const [column, text] of row.cells) {
        if (column !== name && !column.startsWith(`${name}-`)) continue;
        const [, locale] = /^-([a-z]{2,3}(?:_[a-z0-9]+)+)(?:-|$)/.exec(column.slice(name.length)) ?? [];
        const value = field === 'title' ? text : descriptionOf(text, sku, this.#left);
        if (locale !== undefined) add(`${field}:${languageTag(locale)}`, value);
        texts[field] ??= value;
      }
    return texts;
  }

  #variantOf(row: ShopRow, parents: readonly ShopRow[]): ShopVariant {
    const family = cellOf(parents.at(-1) as ShopRow, 'family_variant');
    const axes = this.#files.axes.get(family);
    if (axes === undefined)
      throw new InputError(
        `${row.file}:${row.line}: the family variant ${family} is in none of the files. Add its export.`,
      );
    const values = axes.flatMap((axis) => {
      const unit = [row, ...parents]
        .map((one) => cellOf(one, `${axis.toLowerCase()}-unit`))
        .find((text) => text !== '');
      const value = [row, ...parents]
        .map((one) => cellOf(one, axis.toLowerCase()))
        .find((text) => text !== '');
      if (value === undefined) return [];
      const text = unit === undefined ? value : `${value} ${unit}`;
      return [{ axis: this.#labelled(axis, axis), value: this.#labelled(text, `${axis}: ${value}`) }];
    });
    const { sku, fields, ...item } = this.#item([row, ...(parents as ShopRow[])]);
    const { price_value, is_active } = fields;
    return { ...item, sku, values, fields: { price_value, is_active } };
  }

  #labelled(text: string, name: string): Labelled {
    return { text, label: this.#files.labels.get(name) ?? text };
  }
}

/** Returns `zh-Hans-CN` for `zh_hans_cn`. */
function languageTag(locale: string): string {
  const [language = '', ...parts] = locale.split('_');
  const cased = parts.map((part) =>
    part.length === 4 ? `${part.charAt(0).toUpperCase()}${part.slice(1)}` : part.toUpperCase(),
  );
  return [language, ...cased].join('-');
}
