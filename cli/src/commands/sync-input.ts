import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context/cli-context.ts';
import { UsageError } from '../errors.ts';
import { LeftOut } from '../sync/shops/shop.ts';
import type { ShopName } from '../sync/shops/shop-rows.ts';
import { WantedCatalog } from '../sync/wanted/wanted-catalog.ts';
import { inputFiles } from './input-files.ts';

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

const shops: readonly ShopName[] = ['shopify', 'woocommerce', 'magento', 'akeneo'];

/** Adds the options of files that a shop has exported. */
export function addShopOptions(command: Command): Command {
  return command
    .addOption(new Option('--from <shop>', 'the files are exports of a shop').choices([...shops]))
    .option('--currency <code>', 'with --from: the currency of the prices, such as EUR')
    .option('--title <attribute>', 'with --from akeneo: the attribute that has the title (default: name)')
    .option(
      '--language <view=tag>',
      'with --from magento: the language of a store view, such as de=de-DE',
      parseLanguage,
    );
}

function parseLanguage(text: string, languages: Record<string, string> = {}): Record<string, string> {
  const [, view, tag] = /^([^=]+)=([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)$/.exec(text) ?? [];
  if (view === undefined || tag === undefined)
    throw new InvalidArgumentError('It is not a store view and a language tag, such as de=de-DE.');
  return { ...languages, [view]: tag };
}

/** The wanted catalog, and what it does not take from the files of a shop. */
export interface SyncInput {
  readonly wanted: WantedCatalog;
  readonly left: LeftOut;
}

/** Reads the files of a command line. @throws UsageError, InputError */
export async function readSyncInput(
  context: CliContext,
  paths: readonly string[],
  options: SyncInputOptions,
): Promise<SyncInput> {
  checkShopOptions(options);
  const { from, column: columns, decimal, location, delimiter, currency, title } = options;
  const ignore = new Set(options.ignore);
  const files = inputFiles(context, paths, delimiter).map((file) => ({ ...file, columns, decimal, ignore }));
  const left = new LeftOut();
  if (from === undefined)
    return { wanted: await WantedCatalog.read(files, { location, ignoresUnknown: ignore.has('*') }), left };
  const { shopRows } = await import('../sync/shops/shop-rows.ts');
  const input = { from, left, location, currency, title, languages: options.language };
  return { wanted: await WantedCatalog.of(shopRows(files, input)), left };
}

/** An option that would have no effect is a mistake. */
function checkShopOptions({ from, ...options }: SyncInputOptions): void {
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
