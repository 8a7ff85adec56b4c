import { type InputFile, type InputRow, inputRows } from '../../input/input-rows.ts';
import { columnNames, type RowKind, rowKind } from '../../input/row-kinds.ts';
import { Problems, RowReader } from '../../input/row-reader.ts';
import { readAxisRow, readLevel, readLocation, readProduct, readVariant } from './read-rows.ts';
import type { WantedAxisRow, WantedLevel, WantedLocation, WantedProduct, WantedVariant } from './wanted.ts';

export interface WantedOptions {
  /** The location of stock rows that name none. */
  readonly location?: string | undefined;
  /** Leaves unknown columns alone; else they are problems. */
  readonly ignoresUnknown?: boolean | undefined;
}

/** The catalog that the input wants, by SKU. All of it is in memory [D149]. */
export class WantedCatalog {
  readonly problems = new Problems(1_000, { mergesEqual: true });
  readonly axisRows: WantedAxisRow[] = [];
  readonly locations = new Map<string, WantedLocation>();
  readonly products = new Map<string, { product: WantedProduct | null; variants: WantedVariant[] }>();
  /** The SKUs of variant rows. */
  readonly variantSkus = new Set<string>();
  readonly levels = new Map<string, WantedLevel>();
  /** true if a row names an axis. */
  usesAxes = false;
  /** SKUs of rows with problems: they are not missing from the input. */
  readonly refusedSkus = new Set<string>();
  /** true if a row or file was left out of which no product is known: any product may be in it. */
  hasUnknownRows = false;
  readonly #options: WantedOptions;
  readonly #axisNames = new Set<string>();
  readonly #named = new Map<string, WantedAxisRow>();
  readonly #refusedFiles = new Set<string>();

  private constructor(options: WantedOptions) {
    this.#options = options;
  }

  /** Reads all files. @throws InputError for a file that is not well-formed */
  static async read(files: readonly InputFile[], options: WantedOptions = {}): Promise<WantedCatalog> {
    const wanted = new WantedCatalog(options);
    const names = new Set<string>();
    const mapped = Object.entries(files[0]?.columns ?? {});
    for (const file of files)
      for await (const row of inputRows(file)) {
        if (mapped.length > 0)
          for (const name of Object.values(row.namesInFile)) names.add(name.toLowerCase());
        wanted.#add(row);
      }
    for (const [, name = ''] of mapped)
      if (names.size > 0 && !names.has(name.toLowerCase()))
        wanted.problems.add('--column', `no file has a column "${name}"`);
    return wanted;
  }

  /** Reads rows, which say themselves where they come from. */
  static async of(rows: AsyncIterable<InputRow>): Promise<WantedCatalog> {
    const wanted = new WantedCatalog({});
    for await (const row of rows) wanted.#add(row);
    return wanted;
  }

  /** Returns the axes and values that only products and variants name. */
  namedAxes(): WantedAxisRow[] {
    return [...this.#named].filter(([name]) => !this.#axisNames.has(name)).map(([, row]) => row);
  }

  #nameAxis(code: string, values: readonly string[]): void {
    this.#named.set(code, { code, value: null });
    for (const value of values) this.#named.set(`${code}: ${value}`, { code, value });
  }

  #add(row: InputRow): void {
    const kind = rowKind(row.columns);
    const reader = new RowReader(row, this.problems);
    if (kind === null) {
      this.#refuseFile(row);
      return;
    }
    const isAdded = {
      axis: () => this.#addAxisRow(reader),
      location: () => this.#addLocation(reader),
      product: () => this.#addProduct(reader),
      variant: () => this.#addVariant(reader),
      level: () => this.#addLevel(reader),
    }[kind]();
    if (isAdded || !['product', 'variant'].includes(kind)) return;
    const product = row.values[kind === 'product' ? 'sku' : 'product_sku'];
    if (product == null || String(product).trim() === '') this.hasUnknownRows = true;
    for (const sku of [row.values['sku'], row.values['product_sku']])
      if (sku != null) this.refusedSkus.add(String(sku).trim());
  }

  /** Adds one problem for a file, not one for each row. */
  #refuseFile(row: InputRow): void {
    if (this.#refusedFiles.has(row.file)) return;
    this.#refusedFiles.add(row.file);
    this.hasUnknownRows = true;
    const columns = row.columns.map((column) => row.namesInFile[column] ?? column).join(', ');
    this.problems.add(
      row,
      `the columns ${columns} are not those of products, variants, axes, locations or stock; --column sku=NAME says which column of the file has the SKU`,
    );
  }

  /** Returns whether the row has no problem so far, and known columns. */
  #isWhole(reader: RowReader, kind: RowKind): boolean {
    if (this.#options.ignoresUnknown !== true) reader.refuseUnknown(columnNames(kind));
    return reader.isFine;
  }

  #addProduct(reader: RowReader): boolean {
    const product = readProduct(reader);
    if (!this.#isWhole(reader, 'product')) return false;
    const known = this.products.get(product.sku);
    if (known?.product != null || this.variantSkus.has(product.sku))
      return this.#isTwice(reader, product.sku);
    this.usesAxes ||= product.selection !== null || product.wantsAllVariants;
    for (const { code, values } of product.selection ?? []) this.#nameAxis(code, values);
    if (known === undefined) this.products.set(product.sku, { product, variants: [] });
    else known.product = product;
    return true;
  }

  #addVariant(reader: RowReader): boolean {
    const variant = readVariant(reader);
    if (!this.#isWhole(reader, 'variant')) return false;
    const { sku, productSku } = variant;
    if (this.variantSkus.has(sku) || this.products.get(sku)?.product != null)
      return this.#isTwice(reader, sku);
    this.variantSkus.add(sku);
    this.usesAxes = true;
    for (const [code, value] of Object.entries(variant.axisValues)) this.#nameAxis(code, [value]);
    const known = this.products.get(productSku);
    if (known === undefined) this.products.set(productSku, { product: null, variants: [variant] });
    else known.variants.push(variant);
    return true;
  }

  #addLevel(reader: RowReader): boolean {
    const level = readLevel(reader, this.#options.location);
    if (!this.#isWhole(reader, 'level')) return false;
    const key = levelKey(level.sku, level.location);
    if (this.levels.has(key)) return this.#isTwice(reader, `${level.sku} at ${level.location}`);
    this.levels.set(key, level);
    return true;
  }

  #addAxisRow(reader: RowReader): boolean {
    const row = readAxisRow(reader);
    if (!this.#isWhole(reader, 'axis')) return false;
    const name = row.value === null ? row.code : `${row.code}: ${row.value}`;
    if (this.#axisNames.has(name)) return this.#isTwice(reader, name);
    this.#axisNames.add(name);
    this.axisRows.push(row);
    this.usesAxes = true;
    return true;
  }

  #addLocation(reader: RowReader): boolean {
    const location = readLocation(reader);
    if (!this.#isWhole(reader, 'location')) return false;
    if (this.locations.has(location.code)) return this.#isTwice(reader, location.code);
    this.locations.set(location.code, location);
    return true;
  }

  #isTwice(reader: RowReader, name: string): false {
    reader.refuse(`${name} occurs twice in the input`);
    return false;
  }
}

/** Identifies a level. No SKU has a U+0000. */
export function levelKey(sku: string, location: string): string {
  return `${sku}\u0000${location}`;
}
