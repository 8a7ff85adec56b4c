import { isBrandportError } from '@brandport/client';
import { addBrandCheck, addBrandOption } from '../../arguments/brand-option.ts';
import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { addFollowOptions, type FollowOptions, followChanges } from '../changes/follow-changes.ts';
import type { Define } from '../command.ts';
import { explainStock } from './explain-stock.ts';
import { setStock } from './set-stock.ts';

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
  addFollowOptions(group.command('changes'), 'a level')
    .description('write the levels that changed, all at first, and continue where the last run ended')
    .action((options) => run((context) => stockChanges(context, options)));
  addBrandOption(group.command('explain').argument('<sku>'))
    .description('show the changes that led to a quantity, newest first (admin token)')
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
  return writeList(context, options, catalog.stock.levels(query, { signal: context.signal }), {
    id: (level) => level.sku,
    columns: [
      { head: 'sku', value: (level) => level.sku },
      { head: 'location', value: (level) => level.location },
      { head: 'quantity', value: ({ quantity }) => quantity },
      { head: 'reserved', value: ({ reserved }) => reserved },
      { head: 'available', value: ({ available }) => available },
      { head: 'source time', value: ({ source_updated_at }) => source_updated_at },
    ],
  });
}

/** Writes the changes of stock like `followChanges`. @throws CliError if the service no longer knows the place */
export async function stockChanges(context: CliContext, options: FollowOptions): Promise<undefined> {
  try {
    return await followChanges(context, options, ({ stock }, own) => stock.changes(own));
  } catch (error) {
    if (isBrandportError(error, 'validation_failed') && error.errors['changed_after'] !== undefined)
      throw new CliError(
        `The place in ${options.state} is older than the changes that the service keeps, or from before a restore. Remove the file and your copy of the levels, and run the command again: it begins with all levels.`,
        exitCodes.input,
      );
    throw error;
  }
}
