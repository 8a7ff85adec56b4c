import { type Brandport, type FeedLine, isBrandportError } from '@brandport/client';
import { InputError } from '../errors.ts';
import { inParallel } from '../in-parallel.ts';
import { type InputFile, inputRows } from '../input/input-rows.ts';
import { columnsOf } from '../input/row-kinds.ts';
import { Problems, RowReader } from '../input/row-reader.ts';
import { readLevel } from '../sync/wanted/read-rows.ts';
import { levelKey } from '../sync/wanted/wanted-catalog.ts';

/** The columns of a stock feed. */
export const feedColumns = ['sku', 'location_code', 'quantity', 'reserved', 'updated_at'] as const;

/** Adds to a file the check that its first line names the columns of a feed. */
export function withFeedColumns(file: FeedFile): FeedFile {
  return { ...file, onColumns: (names) => assertFeedColumns(names, file) };
}

/** @throws InputError */
function assertFeedColumns(names: readonly string[], file: FeedFile): void {
  const known = columnsOf(names, file);
  const missing = ['sku', 'quantity', ...(file.location === undefined ? ['location_code'] : [])].filter(
    (name) => !known.includes(name),
  );
  const what = missing.length === 1 ? `column ${missing[0]} is` : `columns ${missing.join(', ')} are`;
  if (missing.length > 0)
    throw new InputError(
      `${file.path}: the ${what} missing. The first line names the columns; it has ${names.join(', ')}.`,
    );
}

export interface FeedFile extends InputFile {
  /** The location of rows that name none. */
  readonly location?: string | undefined;
}

/** Reads the lines of a feed; other columns are ignored. @throws InputError for the first row that cannot be sent */
export async function* feedLines(file: FeedFile): AsyncGenerator<FeedLine, void, undefined> {
  for await (const row of inputRows(withFeedColumns(file))) {
    const problems = new Problems(1);
    const level = readLevel(new RowReader(row, problems), file.location);
    const [problem] = problems.kept;
    if (problem !== undefined) throw new InputError(`${row.file}:${row.line}: ${problem.message}.`);
    const { sku, location, quantity, reserved, updatedAt } = level;
    yield {
      sku,
      location_code: location,
      quantity,
      ...(reserved !== undefined && { reserved }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    };
  }
}

/** Returns the error for a feed that the service refused, with the lines of the file; any other error as it is. */
export async function namingLines(error: unknown, file: FeedFile): Promise<unknown> {
  if (!isBrandportError(error, 'validation_failed') || file.stream !== undefined) return error;
  const byPlace = new Map<number, string>();
  for (const [field, [message = '']] of Object.entries(error.errors)) {
    const [, place, column = ''] = /^lines\.(\d+)\.?(.*)$/.exec(field) ?? [];
    if (place !== undefined) byPlace.set(Number(place), `${column} ${message}`.trim());
  }
  const texts: string[] = [];
  let place = 0;
  for await (const { file: name, line } of inputRows(file)) {
    const message = byPlace.get(place);
    if (message !== undefined) texts.push(`${name}:${line}: ${message}`);
    place += 1;
  }
  return texts.length === 0 ? error : new InputError(`The service refused the feed.\n${texts.join('\n')}`);
}

/** The part of a catalog that concerns the SKUs of a file. */
export interface KnownStock {
  /** null: not known. */
  readonly locations: ReadonlySet<string> | null;
  /** SKUs of products with variants, which have no stock themselves. */
  readonly parents: ReadonlySet<string>;
  readonly unknownSkus: ReadonlySet<string>;
  /** The number of SKUs that may belong to variants that were not read. */
  readonly unverified: number;
  /** Stored quantities by `levelKey`. */
  readonly quantities: ReadonlyMap<string, number>;
}

/** Variants are listed by product, a request each. */
const mostParentsRead = 300;

/** Asks the service. Variants without a stock level are looked for only in catalogs with few products that have variants. */
export async function readKnownStock(
  brandport: Brandport,
  skus: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<KnownStock> {
  const { catalog } = brandport;
  const unseen = new Set(skus);
  const parents = new Set<string>();
  const parentIds: string[] = [];
  const quantities = new Map<string, number>();
  const locations = await catalog.locations.list({ per_page: 200 }, { signal }).toArray();
  for await (const { sku, location, quantity } of catalog.stock.levels({ per_page: 200 }, { signal })) {
    if (!skus.has(sku)) continue;
    unseen.delete(sku);
    quantities.set(levelKey(sku, location), quantity);
  }
  const products = catalog.products.list({ sort: 'created_at', per_page: 200 }, { signal });
  for await (const { sku, tu_id: tuId, has_variants: hasVariants } of products) {
    if (sku !== null && unseen.delete(sku) && hasVariants) parents.add(sku);
    if (hasVariants && parentIds.length <= mostParentsRead) parentIds.push(tuId);
  }
  const isReadable = parentIds.length <= mostParentsRead;
  if (unseen.size > 0 && isReadable) {
    const details = inParallel(parentIds, 8, (tuId) => catalog.products.get(tuId, { signal }));
    for await (const { variants } of details) for (const { sku } of variants) unseen.delete(sku ?? '');
  }
  return {
    locations: new Set(locations.map(({ external_code: code }) => code)),
    parents,
    unknownSkus: isReadable ? unseen : new Set(),
    unverified: isReadable ? 0 : unseen.size,
    quantities,
  };
}

/** Reads an export: rows of products and variants as `sync` reads them, or products with `variants` as the API has them. */
export async function readExport(file: InputFile, skus: ReadonlySet<string>): Promise<KnownStock> {
  const unseen = new Set(skus);
  const parents = new Set<string>();
  for await (const { values } of inputRows(file)) {
    const variants = Array.isArray(values['variants']) ? (values['variants'] as { sku?: unknown }[]) : [];
    const sku = String(values['sku'] ?? '');
    const hasVariants = variants.length > 0 || String(values['has_variants']) === 'true';
    if (unseen.delete(sku) && hasVariants) parents.add(sku);
    const parent = String(values['product_sku'] ?? '');
    if (skus.has(parent)) parents.add(parent);
    for (const variant of variants) unseen.delete(String(variant.sku ?? ''));
  }
  return { locations: null, parents, unknownSkus: unseen, unverified: 0, quantities: new Map() };
}
