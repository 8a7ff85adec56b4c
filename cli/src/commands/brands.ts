import type { Brand, BrandUpdate } from '@brandport/client/admin';
import type { Command } from 'commander';
import { addListOptions, type ListOptions, pageSize, parseInteger, writeList } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { UsageError } from '../errors.ts';
import type { ItemLayout } from '../output/output.ts';
import { type Define, databaseOption } from './command.ts';

export const defineBrands: Define = (group, run) => {
  addListOptions(group.command('list').description('list the brands')).action((options) =>
    run((context) => listBrands(context, options)),
  );
  addBrandSettings(group.command('create').argument('<name>', 'shown to operators'))
    .description('create a brand')
    .option('--database', databaseOption)
    .action((name, options) => run((context) => createBrand(context, name, options)));
  addBrandSettings(group.command('set').argument('<id>', 'the brand'))
    .description('change the name or settings of a brand; omitted options stay as they are')
    .option('--name <name>', 'shown to operators')
    .action((id, options) => run((context) => setBrand(context, id, options)));
};

async function listBrands(context: CliContext, options: ListOptions): Promise<undefined> {
  const admin = await context.admin();
  const pages = admin.brands.list({ per_page: pageSize(options) }, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ id }) => id,
    columns: {
      brand: 'id',
      name: 'name',
      currency: ({ settings }) => settings.currency,
      language: ({ settings }) => settings.default_language,
      created: 'created_at',
    },
  });
}

async function createBrand(context: CliContext, name: string, options: BrandSettings): Promise<undefined> {
  const settings = settingsFrom(options);
  const admin = await context.admin();
  const brand = await admin.brands.create({ name, settings }, { signal: context.signal });
  context.output.item(brand, brandLayout);
}

async function setBrand(
  context: CliContext,
  id: string,
  options: BrandSettings & { readonly name?: string },
): Promise<undefined> {
  const settings = settingsFrom(options);
  if (settings === undefined && options.name === undefined)
    throw new UsageError("There is nothing to set. 'brandport brands set --help' lists the options.");
  const admin = await context.admin();
  const body = { ...(options.name !== undefined && { name: options.name }), settings };
  const brand = await admin.brands.update(context.brandId(id), body, { signal: context.signal });
  context.output.item(brand, brandLayout);
}

interface BrandSettings {
  readonly currency?: string;
  readonly language?: string;
  readonly lowStock?: string;
  readonly staleAfter?: string;
}

function addBrandSettings(command: Command): Command {
  return command
    .option('--currency <code>', 'ISO 4217, for products without a currency')
    .option('--language <tag>', 'BCP 47, for products without a language')
    .option('--low-stock <quantity>', 'availability is low_stock up to this quantity')
    .option('--stale-after <hours>', 'hours without a feed after which stock is stale, or never');
}

/** Returns the settings that are given, as the service takes them; undefined if none is. @throws UsageError */
function settingsFrom(options: BrandSettings): NonNullable<BrandUpdate['settings']> | undefined {
  const { currency, language, lowStock, staleAfter } = options;
  const settings = {
    ...(currency !== undefined && { currency }),
    ...(language !== undefined && { default_language: language }),
    ...(lowStock !== undefined && { low_stock_threshold: parseInteger(lowStock, '--low-stock') }),
    ...(staleAfter !== undefined && {
      stale_after_hours:
        staleAfter === 'never' ? null : parseInteger(staleAfter, '--stale-after', { least: 1 }),
    }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

const brandLayout: ItemLayout<Brand> = {
  id: ({ id }) => id,
  fields: ({ id, name, settings, created_at }) => [
    ['brand', id],
    ['name', name],
    ['currency', settings.currency],
    ['language', settings.default_language],
    ['low stock up to', settings.low_stock_threshold],
    ['stale after hours', settings.stale_after_hours ?? 'never'],
    ['created', created_at],
  ],
};
