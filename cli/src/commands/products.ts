import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { type Brandport, isBrandportError, type ListProductsQuery, type Product } from '@brandport/client';
import { type Command, Option } from 'commander';
import { addListOptions, type ListOptions, pageSize, writeList } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, UsageError } from '../errors.ts';
import { nearestName } from '../generated/nearest-name.ts';
import { inParallel } from '../in-parallel.ts';
import { quantity } from '../output/quantity.ts';
import { jsonForTerminal } from '../output/visible-text.ts';
import {
  type Exported,
  type ExportRow,
  productColumns,
  productRow,
  variantColumns,
  variantRows,
} from '../sync/export.ts';
import type { Define } from './command.ts';

export const defineProducts: Define = (group, run) => {
  addProductFilter(addListOptions(group.command('list').description('list products, last changed first')))
    .option('--sort <fields>', 'sku, created_at, updated_at, comma-separated; - before a field: descending')
    .action((options) => run((context) => listProducts(context, options)));
  group
    .command('get')
    .argument('<product>', 'the SKU of the product, or its tu_id')
    .description('show a product with its variants')
    .action((name) => run((context) => getProduct(context, name)));
  addProductFilter(group.command('export'))
    .description('write all products as JSON lines, or as CSV, for sync')
    .addOption(new Option('--format <format>').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--out <path>', 'a file, which appears when it is complete; default, and `-`: standard output')
    .option('--details', 'with axes, and in JSON lines with variants: a request for each product')
    .option('--variants', 'the variants and not the products: a request for each product that has some')
    .action((options) => run((context) => exportProducts(context, options)));
};

async function getProduct(context: CliContext, name: string): Promise<undefined> {
  const { catalog } = await context.brandport();
  const product = await findProduct(catalog.products, name, context.signal);
  if (product === null) throw new CliError(`There is no product with the SKU or tu_id '${name}'.`);
  context.output.item(product, {
    id: ({ tu_id }) => tu_id,
    fields: (found) => [
      ['product', found.tu_id],
      ['sku', found.sku],
      ['title', found.title],
      ['languages', Object.keys(found.versions)],
      ['price', `${found.price_value} ${found.price_currency}`],
      ['active', found.is_active],
      ['availability', found.availability.status],
      ['axes', found.axes.map(({ code }) => code)],
      ['variants', found.variants.map(({ sku }) => sku)],
      ['changed', found.updated_at],
    ],
  });
}

/** Finds a product by its SKU, else by its `tu_id`. */
async function findProduct(
  products: Brandport['catalog']['products'],
  name: string,
  signal: AbortSignal,
): Promise<Product | null> {
  const { data } = await products.list({ sku: name, per_page: 1 }, { signal }).first();
  const [listed] = data;
  if (listed === undefined && !/^[\w-]{1,64}$/.test(name)) return null;
  try {
    return await products.get(listed?.tu_id ?? name, { signal });
  } catch (error) {
    if (isBrandportError(error, 'not_found')) return null;
    throw error;
  }
}

interface ProductFilter {
  readonly sku?: string;
  readonly active?: boolean;
  readonly archived?: boolean;
  readonly updatedSince?: string;
}

function addProductFilter(command: Command): Command {
  return command
    .option('--sku <sku>', 'only the product with this SKU')
    .addOption(new Option('--active', 'only active products').conflicts('archived'))
    .option('--archived', 'only products that are not active')
    .option('--updated-since <time>', 'only products that were changed at or after this time');
}

/** Returns the query of the list operation. The service checks the values. */
function queryFrom({ sku, active, archived, updatedSince }: ProductFilter): ListProductsQuery {
  return {
    sku,
    is_active: active === true ? true : archived === true ? false : undefined,
    updated_since: updatedSince,
  };
}

/** The service ignores fields that it does not know. */
const sortable = ['sku', 'created_at', 'updated_at'];

/** @throws UsageError */
function checkedSort(text: string | undefined): string | undefined {
  for (const part of text?.split(',') ?? []) {
    const field = part.trim().replace(/^-/, '');
    if (sortable.includes(field)) continue;
    const nearest = nearestName(field, sortable);
    throw new UsageError(
      `'${field}' is not a field for --sort: ${sortable.join(', ')}.${nearest?.isClose === true ? ` Did you mean '${nearest.name}'?` : ''}`,
    );
  }
  return text;
}

async function listProducts(
  context: CliContext,
  options: ListOptions & ProductFilter & { readonly sort?: string },
): Promise<undefined> {
  const query = { ...queryFrom(options), sort: checkedSort(options.sort), per_page: pageSize(options) };
  const { catalog } = await context.brandport();
  return writeList(context, options, catalog.products.list(query, { signal: context.signal }), {
    id: ({ tu_id }) => tu_id,
    columns: {
      product: 'tu_id',
      sku: 'sku',
      title: 'title',
      price: ({ price_value, price_currency }) => `${price_value} ${price_currency}`,
      active: 'is_active',
      availability: ({ availability }) => availability.status,
      changed: 'updated_at',
    },
  });
}

interface ExportOptions extends ProductFilter {
  readonly format: 'jsonl' | 'csv';
  readonly out?: string;
  readonly details?: boolean;
  readonly variants?: boolean;
}

const concurrentReads = 8;

/**
 * Writes the rows of all products as `sync` reads them: unchanged, they plan nothing [D275]. They are in the order of
 * creation, in which a change of one product moves no other.
 */
async function exportProducts(context: CliContext, options: ExportOptions): Promise<undefined> {
  const { format, details = false, variants = false } = options;
  const out = options.out === '-' ? undefined : options.out;
  const { signal } = context;
  const { products } = (await context.brandport({ isPatient: true })).catalog;
  const query = {
    ...queryFrom(options),
    ...(variants && { has_variants: true }),
    sort: 'created_at',
    per_page: 200,
  };
  context.resumeWith('Nothing was changed; a file of --out does not exist yet, or is the one from before.');
  const first = await products.list({ ...query, per_page: 1 }, { signal }).first();
  const bar = context.progress('Reading products', out === undefined);
  const counts = { products: 0, rows: 0, withoutSku: 0, unordered: 0 };
  const rows = async function* (): AsyncGenerator<ExportRow> {
    const read = async (product: Exported): Promise<Exported> =>
      details || variants ? products.get(product.tu_id, { signal }) : product;
    const list: AsyncIterable<Exported> = products.list(query, { signal });
    for await (const product of inParallel(list, concurrentReads, read)) {
      const given = [
        ...(variants ? [] : [productRow(product)]),
        ...(variants || format === 'jsonl' ? variantRows(product) : []),
      ];
      const named = given.filter((row) => row !== null);
      counts.rows += named.length;
      counts.withoutSku += given.length - named.length;
      yield* named;
      counts.products += 1;
      bar.update(counts.products, first.meta.total);
    }
  };
  const lines =
    format === 'jsonl'
      ? jsonLines(rows())
      : await csvLines(rows(), { variants, onUnordered: () => (counts.unordered += 1) });
  if (out === undefined) for await (const line of lines) context.output.write(line);
  else await writeFileWhole(out, lines);
  bar.stop();
  if (out !== undefined) context.tell(`${out}: ${quantity(counts.rows, 'row')}.`);
  const notes: [number, string][] = [
    [counts.withoutSku, 'products or variants have no SKU, by which sync names them, and are left out.'],
    [counts.unordered, 'products have axes in another order than the columns; JSON lines have them.'],
  ];
  for (const [count, text] of notes) if (count > 0) context.tell(`note: ${count} ${text}`);
}

async function* jsonLines(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${jsonForTerminal(row)}\n`;
}

async function csvLines(
  rows: AsyncIterable<ExportRow>,
  { variants, onUnordered }: { readonly variants: boolean; readonly onUnordered: () => void },
): Promise<AsyncGenerator<string>> {
  const { exportCsv } = await import('../sync/export.ts');
  return exportCsv(rows, variants ? variantColumns : productColumns, onUnordered);
}

/**
 * Writes a file that appears when it is complete: until then, an older one with this name is kept.
 * @throws CliError if it cannot be written
 */
async function writeFileWhole(path: string, parts: AsyncIterable<string>): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const file = await open(draft, 'w').catch((error: Error) => {
    throw new CliError(`${path} cannot be written: ${error.message}.`);
  });
  try {
    for await (const part of parts) await file.write(part);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}
