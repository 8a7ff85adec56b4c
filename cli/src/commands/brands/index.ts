import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { Define } from '../command.ts';
import { addBrandSettings, type BrandSettings, brandLayout, settingsFrom } from './brand-settings.ts';

export const defineBrands: Define = (group, run) => {
  addListOptions(group.command('list').description('list the brands')).action((options) =>
    run((context) => listBrands(context, options)),
  );
  addBrandSettings(group.command('create').argument('<name>', 'shown to operators'))
    .description('create a brand')
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
    columns: [
      { head: 'brand', value: ({ id }) => id },
      { head: 'name', value: ({ name }) => name },
      { head: 'currency', value: ({ settings }) => settings.currency },
      { head: 'language', value: ({ settings }) => settings.default_language },
      { head: 'created', value: ({ created_at }) => created_at },
    ],
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
