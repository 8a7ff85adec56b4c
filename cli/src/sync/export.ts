import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product, ProductListItem } from '@brandport/client';
import { stringify } from 'csv-stringify/sync';

/** The place of a record: its byte offset and length in one number, so that an index of a million records stays small. */
export type SpoolRef = number;

const lengthLimit = 2 ** 21;
const bufferBytes = 1 << 20;

/**
 * Keeps JSON values in a temporary file, so that memory holds only their references. The file has no name once it is
 * open: it disappears with the process, also after kill -9.
 */
class Spool<T> {
  readonly #file: number;
  readonly #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'brandport-'));
    this.#file = openSync(join(folder, 'spool'), 'wx+', 0o600);
    rmSync(folder, { recursive: true, force: true });
  }

  /** @throws RangeError for a record of more than 2 MiB */
  add(record: T): SpoolRef {
    const bytes = Buffer.from(JSON.stringify(record));
    if (bytes.length >= lengthLimit) throw new RangeError('A row has more than 2 MiB.');
    const ref = (this.#written + this.#pendingBytes) * lengthLimit + bytes.length;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= bufferBytes) this.#flush();
    return ref;
  }

  get(ref: SpoolRef): T {
    this.#flush();
    const length = ref % lengthLimit;
    const bytes = Buffer.allocUnsafe(length);
    const position = Math.floor(ref / lengthLimit);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file, bytes, done, length - done, position + done);
      if (count === 0) throw new Error('The temporary file is shorter than it was.');
      done += count;
    }
    return JSON.parse(bytes.toString()) as T;
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    writeFileSync(this.#file, Buffer.concat(this.#pending));
    this.#written += this.#pendingBytes;
    this.#pending.length = 0;
    this.#pendingBytes = 0;
  }
}

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

/**
 * Yields CSV with a column for each name that a row has. The rows wait in a temporary file until all names are known.
 * A product whose axes are in another order than the columns states no axes: they would change it [D275].
 * @param onUnordered called for each of those products
 */
export async function* exportCsv(
  rows: AsyncIterable<ExportRow>,
  firstColumns: readonly string[],
  onUnordered: () => void,
): AsyncGenerator<string> {
  const columns = [...firstColumns];
  const spool = new Spool<ExportRow>();
  try {
    const refs: SpoolRef[] = [];
    for await (const row of rows) {
      addColumns(columns, Object.keys(row));
      refs.push(spool.add(row));
    }
    yield stringify([columns]);
    for (const ref of refs) {
      const row = spool.get(ref);
      const isKept = isInOrder(row, columns);
      if (!isKept) onUnordered();
      const cells = columns.map((name) => (isKept || !isAxis(name) ? cellText(row[name]) : ''));
      yield stringify([cells]);
    }
  } finally {
    spool.close();
  }
}

/** Adds unknown names, each before the next name of its row that is known: few rows are then in another order. */
function addColumns(columns: string[], names: readonly string[]): void {
  for (const [at, name] of names.entries()) {
    if (columns.includes(name)) continue;
    const next = names.slice(at + 1).find((one) => columns.includes(one));
    columns.splice(next === undefined ? columns.length : columns.indexOf(next), 0, name);
  }
}

/** Three decimal places get a fourth one, or they could be read as thousands [D302]. */
function cellText(value: unknown): string {
  const text = String(value ?? '');
  return typeof value === 'number' && /\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** The order of a variant's axes means nothing. */
function isInOrder(row: ExportRow, columns: readonly string[]): boolean {
  if (row['product_sku'] !== undefined) return true;
  const places = Object.keys(row)
    .filter(isAxis)
    .map((name) => columns.indexOf(name));
  return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
}

function isAxis(name: string): boolean {
  return name.startsWith('axis:');
}
