import { rowKinds } from './row-kinds.ts';

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

export function familyOf(column: string): string {
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

const numbers: ReadonlySet<string> = new Set(['price_value', 'quantity', 'reserved', 'position']);

/** Returns the type of the values of a column. */
export function typeOfColumn(column: string): 'text' | 'number' | 'boolean' {
  return numbers.has(column) ? 'number' : column === 'is_active' ? 'boolean' : 'text';
}
