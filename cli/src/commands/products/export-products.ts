import type { Brandport, Product, ProductListItem } from '@brandport/client';
import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { jsonForTerminal } from '../../output/visible-text.ts';
import { writeFileWhole } from '../../output/write-file-whole.ts';
import { type ProductFilter, queryFrom } from './product-filter.ts';

interface ExportOptions extends ProductFilter {
  readonly format: string;
  readonly out?: string;
  readonly details?: boolean;
}

type Row = ProductListItem | Product;

/** Writes all products in the order of their creation, in which a change of one moves no other. */
export async function exportProducts(context: CliContext, options: ExportOptions): Promise<undefined> {
  const { format, out, details } = options;
  if (format !== 'jsonl' && format !== 'csv')
    throw new UsageError(`'${format}' is no value for --format: jsonl or csv.`);
  const { catalog } = await context.brandport();
  const query = { ...queryFrom(options), sort: 'created_at', per_page: 200 };
  context.resumeWith('Nothing was changed; a file of --out does not exist yet, or is the one from before.');
  const first = await catalog.products.list({ ...query, per_page: 1 }, { signal: context.signal }).first();
  const bar = out === undefined ? undefined : await context.progress('products', first.meta.total);
  const lines = linesOf(format, rowsOf(catalog.products, query, { details, signal: context.signal }));
  let written = 0;
  const counted = async function* () {
    for await (const line of lines) {
      yield line;
      written += 1;
      bar?.advance();
    }
  };
  if (out === undefined) for await (const line of counted()) context.output.write(line);
  else await writeFileWhole(out, counted());
  bar?.stop();
  if (out !== undefined) context.tell(`${out}: ${format === 'csv' ? written - 1 : written} products.`);
}

async function* rowsOf(
  products: Brandport['catalog']['products'],
  query: Parameters<typeof products.list>[0],
  { details, signal }: { readonly details: boolean | undefined; readonly signal: AbortSignal },
): AsyncGenerator<Row> {
  for await (const product of products.list(query, { signal }))
    yield details === true ? await products.get(product.tu_id, { signal }) : product;
}

async function* linesOf(format: 'jsonl' | 'csv', rows: AsyncIterable<Row>): AsyncGenerator<string> {
  if (format === 'jsonl') {
    for await (const row of rows) yield `${jsonForTerminal(row)}\n`;
    return;
  }
  const { stringify } = await import('csv-stringify/sync');
  yield stringify([columns.map(([head]) => head)]);
  for await (const row of rows) yield stringify([columns.map(([, value]) => value(row) ?? '')]);
}

/** The columns of the CSV. Texts in other languages are in the JSON lines only. */
const columns: readonly (readonly [string, (row: Row) => string | number | boolean | null | undefined])[] = [
  ['tu_id', ({ tu_id }) => tu_id],
  ['sku', ({ sku }) => sku],
  ['title', ({ title }) => title],
  ['short_description', ({ short_description }) => short_description],
  ['default_language', ({ default_language }) => default_language],
  ['price_value', ({ price_value }) => price_value],
  ['price_currency', ({ price_currency }) => price_currency],
  ['tax_class', ({ tax_class }) => tax_class],
  ['is_active', ({ is_active }) => String(is_active)],
  ['has_variants', ({ has_variants }) => String(has_variants)],
  ['availability', ({ availability }) => availability.status],
  ['total_quantity', ({ stock_summary }) => stock_summary?.total_quantity],
  ['created_at', ({ created_at }) => created_at],
  ['updated_at', ({ updated_at }) => updated_at],
];
