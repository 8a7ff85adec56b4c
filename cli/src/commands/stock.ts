import { type Brandport, isBrandportError, type StockAdjust } from '@brandport/client';
import type { StockExplanation } from '@brandport/client/admin';
import {
  addBrandCheck,
  addBrandOption,
  addListOptions,
  type BrandOption,
  type ListOptions,
  pageSize,
  parseInteger,
  writeList,
} from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError } from '../errors.ts';
import type { Columns } from '../output/output.ts';
import { adminGroup, type Define } from './command.ts';

export const defineStock: Define = (group, run) => {
  addListOptions(group.command('get').argument('[sku]', 'default: all'))
    .description('list stock levels')
    .option('--location <code>', 'only this location')
    .option('--updated-since <time>', 'only levels whose source_updated_at is at or after this time')
    .action((sku, options) => run((context) => listLevels(context, sku, options)));
  addBrandCheck(group.command('set'), 'the key')
    .argument('<sku>', 'a product or a variant')
    .argument('<quantity>', 'the absolute quantity')
    .description('set the quantity of a level')
    .option('--expect <quantity>', 'only if this quantity is stored')
    .option('--location <code>', 'default: __default__')
    .option('--product <tu_id>', 'for a variant without stock: its product')
    .option('--note <text>', 'recorded in the ledger')
    .action((sku, quantity, options) => run((context) => setStock(context, { ...options, sku, quantity })));
  addBrandOption(group.command('explain').argument('<sku>'))
    .helpGroup(adminGroup)
    .description('show the changes that led to a quantity, newest first')
    .option('--location <code>', 'the location', '__default__')
    .option('--at <time>', 'the quantity at this time; default: now')
    .option('--limit <entries>', 'the changes to show, at most 200', '50')
    .action((sku, options) => run((context) => explainStock(context, sku, options)));
};

interface LevelOptions extends ListOptions {
  readonly location?: string;
  readonly updatedSince?: string;
}

async function listLevels(
  context: CliContext,
  sku: string | undefined,
  options: LevelOptions,
): Promise<undefined> {
  const { location, updatedSince } = options;
  const query = { sku, location, updated_since: updatedSince, per_page: pageSize(options) };
  const { catalog } = await context.brandport();
  if (sku !== undefined) await requireKnownSku(catalog, sku, context.signal);
  return writeList(context, options, catalog.stock.levels(query, { signal: context.signal }), {
    id: (level) => level.sku,
    columns: {
      sku: (level) => level.sku,
      location: (level) => level.location,
      quantity: 'quantity',
      reserved: 'reserved',
      available: 'available',
      'source time': 'source_updated_at',
    },
  });
}

/** A SKU without stock has an empty list; one that nothing has is a mistake. @throws CliError */
async function requireKnownSku(
  catalog: Brandport['catalog'],
  sku: string,
  signal: AbortSignal,
): Promise<void> {
  const query = { sku, per_page: 1 };
  if ((await catalog.stock.levels(query, { signal }).first()).data.length > 0) return;
  if ((await catalog.products.list(query, { signal }).first()).data.length > 0) return;
  throw new CliError(
    `No product and no stock has the SKU '${sku}'. A variant without stock is not found by its SKU.`,
  );
}

interface SetStockOptions extends BrandOption {
  readonly sku: string;
  readonly quantity: string;
  readonly expect?: string;
  readonly location?: string;
  readonly product?: string;
  readonly note?: string;
}

async function setStock(context: CliContext, options: SetStockOptions): Promise<undefined> {
  const { sku, location, note, expect } = options;
  const quantity = parseInteger(options.quantity, '<quantity>');
  const expected = expect === undefined ? undefined : parseInteger(expect, '--expect');
  const { catalog } = await context.writer(options.brand);
  const { productTuId, variantTuId } = await findStockable(catalog, options, context.signal);
  const body: StockAdjust = {
    quantity,
    ...(variantTuId !== null && { variant: variantTuId }),
    ...(location !== undefined && { location }),
    ...(expected !== undefined && { expected_quantity: expected }),
    ...(note !== undefined && { note }),
  };
  context.resumeWith(`The quantity may have been set: \`brandport stock get\` shows it.`);
  try {
    const adjusted = await catalog.stock.adjust(productTuId, body, { signal: context.signal });
    context.output.item(adjusted.level, { id: (level) => level.sku });
  } catch (error) {
    if (isBrandportError(error, 'stock_version_conflict'))
      context.tell(`${sku} has ${error.currentQuantity}, not ${expected}. Nothing was changed.`);
    throw error;
  }
}

interface Stockable {
  readonly productTuId: string;
  /** null for a product without variants. */
  readonly variantTuId: string | null;
}

/**
 * Finds what has a SKU: by its stock, else as a product, else as a variant of the given product.
 * @throws CliError if nothing has it
 */
async function findStockable(
  catalog: Brandport['catalog'],
  { sku, product }: { readonly sku: string; readonly product?: string },
  signal: AbortSignal,
): Promise<Stockable> {
  const call = { signal };
  const [level] = (await catalog.stock.levels({ sku, per_page: 1 }, call).first()).data;
  if (level !== undefined) return { productTuId: level.product_tu_id, variantTuId: level.variant_tu_id };
  if (product !== undefined) {
    const { variants } = await catalog.products.get(product, call);
    const variant = variants.find((candidate) => candidate.sku === sku);
    if (variant === undefined) throw new CliError(`The product ${product} has no variant '${sku}'.`);
    return { productTuId: product, variantTuId: variant.tu_id };
  }
  const [found] = (await catalog.products.list({ sku, per_page: 1 }, call).first()).data;
  if (found !== undefined) return { productTuId: found.tu_id, variantTuId: null };
  throw new CliError(
    `No product and no stock has the SKU '${sku}'. For a variant without stock, add --product <tu_id>.`,
  );
}

interface ExplainOptions extends BrandOption {
  readonly location: string;
  readonly at?: string;
  readonly limit: string;
}

type Entry = StockExplanation['entries'][number];
type Refused = StockExplanation['refused'][number];

async function explainStock(context: CliContext, sku: string, options: ExplainOptions): Promise<undefined> {
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

const entryColumns: Columns<Entry> = {
  at: 'at',
  before: 'quantity_before',
  after: 'quantity_after',
  by: 'kind',
  key: 'key_id',
  batch: ({ feed }) => feed?.source_batch_id,
  line: ({ feed }) => feed?.line,
  request: 'request_id',
  note: 'note',
};

const refusedColumns: Columns<Refused> = {
  at: 'at',
  result: 'result',
  quantity: 'quantity',
  key: 'key_id',
  batch: ({ feed }) => feed.source_batch_id,
  line: ({ feed }) => feed.line,
};
