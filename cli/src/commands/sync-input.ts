import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context/cli-context.ts';
import { UsageError } from '../errors.ts';
import type { Place } from '../input/input-rows.ts';
import { columnNames, families, type RowKind, rowKinds } from '../input/row-kinds.ts';
import { LeftOut } from '../sync/shops/shop.ts';
import type { ShopName } from '../sync/shops/shop-rows.ts';
import { WantedCatalog } from '../sync/wanted/wanted-catalog.ts';
import { columnParser, inputFiles, parseDelimiter } from './input-files.ts';

/** The options of a command line, or of a map, about its files. */
export interface SyncInputOptions {
  readonly from?: ShopName;
  readonly language?: Record<string, string>;
  readonly title?: string;
  readonly currency?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly column?: Record<string, string>;
  readonly location?: string;
  readonly ignore?: string[];
}

export const shops: readonly ShopName[] = ['shopify', 'woocommerce', 'magento', 'akeneo'];

/** Adds the options that say how files are read; `--map` has them in a file. */
export function addInputOptions(command: Command): Command {
  return command
    .option('--map <file>', 'the options about files, kept in a file; one of the command line wins')
    .addOption(new Option('--from <shop>', 'the files are exports of a shop').choices([...shops]))
    .option('--currency <code>', 'with --from: the currency of the prices, such as EUR')
    .option('--title <attribute>', 'with --from akeneo: the attribute that has the title (default: name)')
    .option(
      '--language <view=tag>',
      'with --from magento: the language of a store view, such as de=de-DE',
      parseLanguage,
    )
    .option('--delimiter <character>', 'the delimiter of CSV, or tab (default: ,)', parseDelimiter)
    .option('--decimal <character>', 'the character before decimal places in CSV (default: .)', parseDecimal)
    .option('--column <column=name>', 'a column under another name, such as sku=Handle', parseColumn)
    .option('--location <code>', 'the location of stock rows that name none, such as those of a shop')
    .option('--ignore <column...>', 'columns to leave alone; * is every unknown one');
}

export const parseColumn = columnParser((column) => {
  const plain = (Object.keys(rowKinds) as RowKind[]).flatMap(columnNames);
  return plain.includes(column) || families.some((family) => column.startsWith(family) && column !== family);
});

export function parseDecimal(text: string): '.' | ',' {
  if (text !== '.' && text !== ',') throw new InvalidArgumentError('It is . or a comma.');
  return text;
}

export function parseLanguage(text: string, languages: Record<string, string> = {}): Record<string, string> {
  const [, view, tag] = /^([^=]+)=([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)$/.exec(text) ?? [];
  if (view === undefined || tag === undefined)
    throw new InvalidArgumentError('It is not a store view and a language tag, such as de=de-DE.');
  return { ...languages, [view]: tag };
}

/** The wanted catalog, and what it does not take from the files of a shop. */
export interface SyncInput {
  readonly wanted: WantedCatalog;
  readonly left: LeftOut;
  /** Says how what was read differs from the files; null if nothing does. */
  readonly note: string | null;
}

/** Counts the texts whose white space is left out. */
class TrimmedTexts {
  readonly #counts = new Map<string, number>();
  #first = '';

  readonly see = (column: string, { file, line }: Place): void => {
    if (this.#counts.size === 0) this.#first = `${file}:${line}`;
    this.#counts.set(column, (this.#counts.get(column) ?? 0) + 1);
  };

  describe(): string | null {
    if (this.#counts.size === 0) return null;
    const counts = [...this.#counts].map(([column, count]) => `${column} ${count}`);
    return `white space around values is left out: ${counts.join(', ')}; the first at ${this.#first}.`;
  }
}

/** Reads the files of a command line. @param options merged with the map's @throws UsageError, InputError */
export async function readSyncInput(
  context: CliContext,
  paths: readonly string[],
  options: SyncInputOptions,
): Promise<SyncInput> {
  const { from, column: columns, decimal, location, delimiter, currency, title } = options;
  const ignore = new Set(options.ignore);
  const trimmed = new TrimmedTexts();
  const shared = { columns, decimal, ignore, onTrimmed: trimmed.see };
  const files = inputFiles(context, paths, delimiter).map((file) => ({ ...file, ...shared }));
  const left = new LeftOut();
  const { refuseOtherShop, shopRows } = await import('../sync/shops/shop-rows.ts');
  if (from === undefined) {
    // Who names or ignores columns reads the file of a shop in another way.
    const guess = (path: string) => (names: readonly string[]) => refuseOtherShop(path, names);
    const isPlain = columns === undefined && ignore.size === 0;
    const read = isPlain ? files.map((file) => ({ ...file, onColumns: guess(file.path) })) : files;
    const wanted = await WantedCatalog.read(read, { location, ignoresUnknown: ignore.has('*') });
    return { wanted, left, note: trimmed.describe() };
  }
  const input = { from, left, location, currency, title, languages: options.language };
  const wanted = await WantedCatalog.of(shopRows(files, input));
  return { wanted, left, note: left.describe() };
}

/** An option that would have no effect is a mistake. @throws UsageError */
export function checkShopOptions({ from, ...options }: SyncInputOptions): void {
  const needs: [keyof typeof options, readonly ShopName[]][] = [
    ['currency', shops],
    ['title', ['akeneo']],
    ['language', ['magento']],
  ];
  for (const [name, of] of needs)
    if (options[name] !== undefined && (from === undefined || !of.includes(from)))
      throw new UsageError(`--${name} is for --from ${of.join(', ')}.`);
  for (const name of ['column', 'ignore'] as const)
    if (from !== undefined && options[name] !== undefined)
      throw new UsageError(`--from ${from} knows the columns of the files: leave out --${name}.`);
}
