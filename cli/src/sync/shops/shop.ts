import type { Place } from '../../input/input-rows.ts';

/** The options of a command line about the files of a shop. */
export interface ShopOptions {
  /** The location of all quantities; without it, they are left out. */
  readonly location?: string | undefined;
  /** The currency of the prices. */
  readonly currency?: string | undefined;
  /** The attribute that has the title. */
  readonly title?: string | undefined;
  /** Language tags by store view. */
  readonly languages?: Readonly<Record<string, string>> | undefined;
}

/** A row of a shop's file: its cells that are not empty, by the names of their columns in lower case. */
export interface ShopRow extends Place {
  readonly cells: ReadonlyMap<string, string>;
}

/** Returns the first cell that is not empty, among columns that are named in lower case; `''` without one. */
export function cellOf({ cells }: ShopRow, ...columns: readonly string[]): string {
  for (const column of columns) {
    const text = cells.get(column);
    if (text !== undefined) return text;
  }
  return '';
}

/** The text that becomes a code, and its label. */
export interface Labelled {
  readonly text: string;
  readonly label: string;
}

/** A product, or a variant, with the columns of `sync`; what is empty or undefined is not stated. */
export interface ShopItem {
  readonly place: Place;
  /** `''` of a variant: made from the product's SKU and the codes of its values. */
  readonly sku: string;
  readonly fields: Readonly<Record<string, string | boolean | undefined>>;
  /** `''`: not stated. */
  readonly quantity: string;
}

export interface ShopVariant extends ShopItem {
  readonly values: readonly { readonly axis: Labelled; readonly value: Labelled }[];
}

export interface ShopProduct extends ShopItem {
  readonly variants: readonly ShopVariant[];
}

/** The layout of a shop's export. */
export interface Layout {
  readonly delimiter: string;
  /** Columns by which a file of this shop is recognised, in lower case: all those of one list. */
  readonly marks: readonly (readonly string[])[];
  /** The columns that it reads, in lower case. */
  readonly reads: RegExp;
  /** The contents of some other columns, by their names in lower case. */
  readonly leaves: Readonly<Record<string, string>>;
  /** Our columns under the names of the file, for messages. */
  readonly names: Readonly<Record<string, string>>;
  /** Turns all rows into products. @throws InputError */
  readonly products: (rows: readonly ShopRow[], options: ShopOptions, left: LeftOut) => ShopProduct[];
}

const mostNames = 3;

/** Counts what the catalog does not take from the files. */
export class LeftOut {
  readonly #kinds = new Map<string, { count: number; names: string[] }>();
  readonly #columns = new Set<string>();

  /** @param what a plural, such as `grouped products` */
  add(what: string, name?: string): void {
    const kind = this.#kinds.get(what) ?? { count: 0, names: [] };
    this.#kinds.set(what, kind);
    kind.count += 1;
    if (name !== undefined) kind.names.push(name);
  }

  /** Notes a column that has a value and that nothing reads. */
  addColumn(name: string): void {
    this.#columns.add(name);
  }

  /** Returns everything in one sentence; null if nothing was left out. */
  describe(): string | null {
    const kinds = [...this.#kinds].map(([what, { count, names }]) => {
      const shown = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');
      return `${what}: ${count.toLocaleString('en-US')}${shown === '' ? '' : ` (${shown})`}`;
    });
    const columns = this.#columns.size === 0 ? [] : [`columns: ${[...this.#columns].join(', ')}`];
    const all = [...kinds, ...columns];
    return all.length === 0 ? null : `not taken as it is in the files: ${all.join('; ')}`;
  }

  /** The same for JSON. */
  list() {
    const kinds = [...this.#kinds].map(([what, { count, names }]) => ({ what, count, names }));
    return { kinds, columns: [...this.#columns] };
  }
}

const longestDescription = 5_000;

/** Returns a description as long as the service takes it [catalog-10]. */
export function descriptionOf(text: string, sku: string, left: LeftOut): string {
  if (text.length <= longestDescription) return text;
  const letters = [...text];
  if (letters.length <= longestDescription) return text;
  left.add('descriptions, cut to 5,000 characters', sku);
  return letters.slice(0, longestDescription).join('');
}

export function isTrue(text: string): boolean {
  return /^(true|yes|1)$/i.test(text);
}
