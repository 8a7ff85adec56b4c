import { type CsvRow, cellOf, findDataSet } from './data-set.ts';

/** A product as it is sent. */
export interface SunriseProduct {
  readonly sku: string;
  readonly title: string;
  readonly default_language: string;
  readonly versions: Readonly<Record<string, { title?: string; short_description?: string }>>;
  readonly is_active: boolean;
  readonly tax_class: string;
  readonly price_value: number;
  readonly price_currency: string;
}

/** A product with its variants; `choice` has the values of each axis that they use. */
export interface SunriseParent {
  readonly body: SunriseProduct;
  readonly choice: readonly { readonly code: string; readonly values: readonly string[] }[];
  readonly variants: readonly {
    readonly sku: string;
    readonly axis_values: Readonly<Record<string, string>>;
    /** null: that of the product. */
    readonly price: number | null;
  }[];
}

export interface Axis {
  readonly code: string;
  readonly label: string;
  readonly values: readonly { readonly value: string; readonly label: string }[];
}

/** The products, their variants by size and colour, and the inventory, most of whose SKUs are of no product. */
export interface Sunrise {
  readonly axes: readonly Axis[];
  readonly parents: readonly SunriseParent[];
  readonly inventory: readonly { readonly sku: string; readonly quantity: number }[];
}

const axisCodes = ['size', 'color'];
const languages = ['en', 'de', 'it'];

export async function readSunrise(): Promise<Sunrise> {
  const files = findDataSet('commercetools-sunrise');
  const rows = await files.rows('products.csv');
  const axes = axisCodes.map((code) => axisOf(code, rows));
  // A row without a type is another variant of the product above it.
  const groups: CsvRow[][] = [];
  for (const row of rows)
    if (row['productType'] !== '') groups.push([row]);
    else groups.at(-1)?.push(row);
  const inventory = await files.rows('inventory.csv.gz');
  return {
    axes,
    parents: groups.map((group) => parentOf(group, axes)),
    inventory: inventory.map((row) => ({
      sku: cellOf(row, 'sku'),
      quantity: Number(cellOf(row, 'quantityOnStock')),
    })),
  };
}

/** The texts of the file as labels, in file order. Their values may have letters, digits, `.`, `_` and `-` only. */
function axisOf(code: string, rows: readonly CsvRow[]): Axis {
  const labels = [...new Set(rows.map((row) => cellOf(row, code)))];
  const values = labels.map((label) => ({ value: label.replaceAll(/[^a-zA-Z0-9._-]+/g, '-'), label }));
  return { code, label: code, values };
}

/** The English slug is the product's SKU: the file's own belong to the variants. */
function parentOf(group: readonly CsvRow[], axes: readonly Axis[]): SunriseParent {
  const row = group[0] as CsvRow;
  const versions = languages.map((language) => [language, textsIn(row, language)] as const);
  const [price_value, price_currency] = firstPrice(row);
  const body = {
    sku: cellOf(row, 'slug.en'),
    title: cellOf(row, 'name.en'),
    default_language: 'en',
    versions: Object.fromEntries(versions.filter(([, texts]) => Object.keys(texts).length > 0)),
    is_active: true,
    tax_class: cellOf(row, 'tax'),
    price_value,
    price_currency,
  };
  const valueIn = ({ code, values }: Axis, variant: CsvRow) =>
    values.find(({ label }) => label === cellOf(variant, code))?.value as string;
  const choice = axes.map((axis) => {
    const used = new Set(group.map((variant) => valueIn(axis, variant)));
    const values = axis.values.map(({ value }) => value).filter((value) => used.has(value));
    return { code: axis.code, values };
  });
  const variants = group.map((variant) => {
    const [price, currency] = firstPrice(variant);
    if (currency !== price_currency) throw new Error(`${cellOf(variant, 'sku')} has another currency`);
    return {
      sku: cellOf(variant, 'sku'),
      axis_values: Object.fromEntries(axes.map((axis) => [axis.code, valueIn(axis, variant)])),
      price: price === price_value ? null : price,
    };
  });
  return { body, choice, variants };
}

function textsIn(row: CsvRow, language: string) {
  const [title = '', description = ''] = [row[`name.${language}`], row[`description.${language}`]];
  return { ...(title !== '' && { title }), ...(description !== '' && { short_description: description }) };
}

/** The list price comes first: `EUR 18750;EUR 12295 b2b;…`, in cents. */
function firstPrice(row: CsvRow): [value: number, currency: string] {
  const [, currency, cents] = /^([A-Z]{3}) (\d+)(?:;|$)/.exec(cellOf(row, 'prices')) ?? [];
  if (currency === undefined) throw new Error(`no price in ${JSON.stringify(row)}`);
  return [Number(cents) / 100, currency];
}
