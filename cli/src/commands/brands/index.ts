import { addListOptions } from '../../arguments/list-options.ts';
import type { Define } from '../command.ts';
import { addBrandSettings } from './brand-settings.ts';
import { createBrand } from './create-brand.ts';
import { listBrands } from './list-brands.ts';
import { setBrand } from './set-brand.ts';

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
