import type { StockExplanation } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import { parseInteger } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Column } from '../../output/output.ts';

interface ExplainOptions extends BrandOption {
  readonly location: string;
  readonly at?: string;
  readonly limit: string;
}

type Entry = StockExplanation['entries'][number];
type Refused = StockExplanation['refused'][number];

export async function explainStock(
  context: CliContext,
  sku: string,
  options: ExplainOptions,
): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const limit = parseInteger(options.limit, '--limit', { least: 1, most: 200 });
  const { lookups } = await context.admin();
  const { location, at } = options;
  const query = { sku, location, at, limit };
  const read = (more: { refused_before?: string } = {}) =>
    lookups.explainStock(brandId, { ...query, ...more }, { signal: context.signal });
  const explanation = await read();
  const { output } = context;
  if (output.format === 'json') output.item(explanation, { id: ({ quantity_at }) => quantity_at });
  else if (output.format === 'quiet') output.write(`${explanation.quantity_at}\n`);
  else await writeTables(context, sku, explanation, read);
}

type Read = (more: { refused_before: string }) => Promise<StockExplanation>;

async function writeTables(
  { output, tell }: CliContext,
  sku: string,
  explanation: StockExplanation,
  read: Read,
): Promise<void> {
  const { quantity_at, level, entries, refused } = explanation;
  output.write(`${sku}: ${quantity_at}${level === null ? ', no level' : `, now ${level.quantity}`}\n\n`);
  await output.list(entries, { id: ({ id }) => id, columns: entryColumns });
  if (refused.length === 0) return;
  tell('\nLines of feeds that were not applied:');
  await output.list(allRefused(explanation, read), {
    id: ({ feed }) => feed.feed_id,
    columns: refusedColumns,
  });
}

/** The refused lines of a page, and those that did not fit into it. */
async function* allRefused(first: StockExplanation, read: Read): AsyncGenerator<Refused> {
  yield* first.refused;
  for (let next = first.refused_next; next !== null; ) {
    const page = await read({ refused_before: next });
    yield* page.refused;
    next = page.refused_next;
  }
}

const entryColumns: readonly Column<Entry>[] = [
  { head: 'at', value: ({ at }) => at },
  { head: 'before', value: ({ quantity_before }) => quantity_before },
  { head: 'after', value: ({ quantity_after }) => quantity_after },
  { head: 'by', value: ({ kind }) => kind },
  { head: 'key', value: ({ key_id }) => key_id },
  { head: 'batch', value: ({ feed }) => feed?.source_batch_id },
  { head: 'line', value: ({ feed }) => feed?.line },
  { head: 'request', value: ({ request_id }) => request_id },
  { head: 'note', value: ({ note }) => note },
];

const refusedColumns: readonly Column<Refused>[] = [
  { head: 'at', value: ({ at }) => at },
  { head: 'result', value: ({ result }) => result },
  { head: 'quantity', value: ({ quantity }) => quantity },
  { head: 'key', value: ({ key_id }) => key_id },
  { head: 'batch', value: ({ feed }) => feed.source_batch_id },
  { head: 'line', value: ({ feed }) => feed.line },
];
