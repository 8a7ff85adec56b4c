import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { jsonForTerminal } from '../../output/visible-text.ts';
import {
  type Exported,
  type ExportRow,
  productColumns,
  productRow,
  variantColumns,
  variantRows,
} from '../../sync/export-rows.ts';
import { inParallel } from '../../sync/in-parallel.ts';
import { type ProductFilter, queryFrom } from './list-products.ts';

interface ExportOptions extends ProductFilter {
  readonly format: 'jsonl' | 'csv';
  readonly out?: string;
  readonly details?: boolean;
  readonly variants?: boolean;
}

const concurrentReads = 8;

/**
 * Writes the rows of all products as `sync plan` reads them: unchanged, they plan nothing [D275]. They are in the order of
 * creation, in which a change of one product moves no other.
 */
export async function exportProducts(context: CliContext, options: ExportOptions): Promise<undefined> {
  const { format, out, details = false, variants = false } = options;
  const { signal } = context;
  const { products } = (await context.brandport()).catalog;
  const query = {
    ...queryFrom(options),
    ...(variants && { has_variants: true }),
    sort: 'created_at',
    per_page: 200,
  };
  context.resumeWith('Nothing was changed; a file of --out does not exist yet, or is the one from before.');
  const first = await products.list({ ...query, per_page: 1 }, { signal }).first();
  const bar = out === undefined ? undefined : context.progress('products');
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
      bar?.update(counts.products, first.meta.total);
    }
  };
  const lines =
    format === 'jsonl'
      ? jsonLines(rows())
      : await csvLines(rows(), { variants, onUnordered: () => (counts.unordered += 1) });
  if (out === undefined) for await (const line of lines) context.output.write(line);
  else await writeFileWhole(out, lines);
  bar?.stop();
  if (out !== undefined) context.tell(`${out}: ${counts.rows} row${counts.rows === 1 ? '' : 's'}.`);
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
  const { exportCsv } = await import('../../sync/export-csv.ts');
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
