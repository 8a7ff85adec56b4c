import type { CellType } from '@brandport/client';

/** A kind of row, with the columns that it may have. */
interface RowColumns {
  readonly rows: string;
  /** The column that only rows of this kind and of earlier ones have. */
  readonly mark: string;
  /** Names and values; `axis:<code>` is a name for each axis. */
  readonly columns: Readonly<Record<string, string>>;
}

const axisValue = 'the value of the axis';
const flag = 'true or false';
const position = 'the place in the order: an integer from 0';

/** The thing that a row describes, by its columns: the first kind whose mark they have counts. */
export const rowKinds = {
  level: {
    rows: 'stock',
    mark: 'quantity',
    columns: {
      sku: 'required: the SKU of a variant, or of a product without variants',
      location_code: 'the stock location; required without --location',
      quantity: 'required: an integer from 0',
      reserved: 'an integer from 0',
      updated_at: 'a date-time with an offset; default: the time of the plan',
    },
  },
  location: {
    rows: 'locations',
    mark: 'external_code',
    columns: {
      external_code: 'required: the code of the location',
      name: 'up to 255 characters',
      is_active: flag,
    },
  },
  variant: {
    rows: 'variants',
    mark: 'product_sku',
    columns: {
      product_sku: 'required: the SKU of the product',
      sku: 'required: the SKU of the variant',
      'axis:<code>': axisValue,
      axis_values: 'JSON lines: an object of axis codes and values',
      price_value: 'a number such as 19.5; default: the price of the product',
      barcode: 'up to 64 characters',
      is_active: flag,
    },
  },
  axis: {
    rows: 'axes',
    mark: 'axis',
    columns: {
      axis: 'required: the code of the axis',
      value: 'one of its values; without it, the row describes the axis',
      label: 'up to 255 characters',
      position,
      is_active: flag,
    },
  },
  product: {
    rows: 'products',
    mark: 'sku',
    columns: {
      sku: 'required: identifies the product',
      title: 'up to 255 characters',
      short_description: 'up to 5,000 characters',
      'title:<language>': 'the title in a language, such as title:sv',
      'short_description:<language>': 'the description in a language',
      versions: 'JSON lines: texts by language, as in the API',
      default_language: 'a language tag such as sv',
      price_value: 'a number such as 19.5',
      price_currency: 'a code such as EUR',
      tax_class: 'up to 64 characters',
      is_active: flag,
      'axis:<code>': 'the values of the axis, with | between them',
      axes: 'JSON lines: an object of axis codes and lists of values',
      variants: 'all: a variant for every combination of the values',
      sku_template: 'the SKUs of those variants, such as {sku}-{color}',
    },
  },
} as const satisfies Readonly<Record<string, RowColumns>>;

export type RowKind = keyof typeof rowKinds;

/** Returns the names of the columns of a kind. */
export function columnNames(kind: RowKind): string[] {
  return Object.keys(rowKinds[kind].columns);
}

/** Returns null for columns that belong to no kind. */
export function rowKind(columns: readonly string[]): RowKind | null {
  const kinds = Object.keys(rowKinds) as RowKind[];
  return kinds.find((kind) => columns.includes(rowKinds[kind].mark)) ?? null;
}

/** The way in which the columns of a file are read. */
export interface ColumnOptions {
  /** The names of columns in the file, where they differ. */
  readonly columns?: Readonly<Record<string, string | undefined>> | undefined;
  /** Names of the file that are left alone. */
  readonly ignore?: ReadonlySet<string> | undefined;
}

const plain = Object.values(rowKinds).flatMap((kind) => Object.keys(kind.columns));
const byLowerCase = new Map(plain.map((column) => [column.toLowerCase(), column]));
/** Beginnings of names, as `axis:` of `axis:color`. */
export const families = [...new Set(plain.filter((name) => name.endsWith('>')).map(familyOf))];

function familyOf(column: string): string {
  return column.slice(0, column.indexOf('<'));
}

/**
 * Returns the column that each name of a file means, in any case; null for one that is left alone. A name that means none is
 * returned as it is.
 */
export function columnsOf(
  names: readonly string[],
  { columns = {}, ignore = new Set() }: ColumnOptions,
): (string | null)[] {
  const lowerCase = names.map((name) => name.toLowerCase());
  const placeOf = (name: string) =>
    names.includes(name) ? names.indexOf(name) : lowerCase.indexOf(name.toLowerCase());
  const placed = Object.entries(columns).map(([column, name]) => [placeOf(name ?? column), column] as const);
  const given = new Map(placed.filter(([place]) => place >= 0));
  const named = new Set(given.values());
  const ignored = new Set([...ignore].map((name) => name.toLowerCase()));
  return names.map((name, place) => {
    const lower = name.toLowerCase();
    const wanted = given.get(place);
    if (wanted !== undefined) return wanted;
    if (ignored.has(lower)) return null;
    const family = families.find((one) => lower.startsWith(one) && lower !== one);
    const column =
      family === undefined ? (byLowerCase.get(lower) ?? name) : `${family}${name.slice(family.length)}`;
    // Another name of the file means it.
    return named.has(column) ? null : column;
  });
}

const integers: ReadonlySet<string> = new Set(['quantity', 'reserved', 'position']);

/** Returns the type of the values of a column. */
export function typeOfColumn(column: string): CellType {
  if (column === 'price_value') return 'number';
  if (integers.has(column)) return 'integer';
  return column === 'is_active' ? 'boolean' : 'text';
}

/** Returns whether a name means a column, or one of a family, as `axis:color` means `axis:<code>`. */
export function isColumn(name: string, known: readonly string[]): boolean {
  return known.some((one) =>
    one.endsWith('>') ? name.startsWith(familyOf(one)) && name !== familyOf(one) : name === one,
  );
}
