import { type Brandport, isBrandportError, type Product } from '@brandport/client';
import { Option } from 'commander';
import { addListOptions } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';
import type { Define } from '../command.ts';
import { exportProducts } from './export-products.ts';
import { addProductFilter, listProducts } from './list-products.ts';

export const defineProducts: Define = (group, run) => {
  addProductFilter(addListOptions(group.command('list').description('list products, last changed first')))
    .option('--sort <fields>', 'sku, created_at, updated_at, comma-separated; - before a field: descending')
    .action((options) => run((context) => listProducts(context, options)));
  group
    .command('get')
    .argument('<product>', 'the SKU of the product, or its tu_id')
    .description('show a product with its variants')
    .action((name) => run((context) => getProduct(context, name)));
  addProductFilter(group.command('export'))
    .description('write all products as JSON lines, or as CSV, for sync plan')
    .addOption(new Option('--format <format>').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--out <path>', 'a file, which appears when it is complete; default: standard output')
    .option('--details', 'with axes, and in JSON lines with variants: a request for each product')
    .option('--variants', 'the variants and not the products: a request for each product that has some')
    .action((options) => run((context) => exportProducts(context, options)));
};

export async function getProduct(context: CliContext, name: string): Promise<undefined> {
  const { catalog } = await context.brandport();
  const product = await findProduct(catalog.products, name, context.signal);
  if (product === null) throw new CliError(`There is no product with the SKU or tu_id '${name}'.`);
  context.output.item(product, {
    id: ({ tu_id }) => tu_id,
    fields: (found) => [
      ['product', found.tu_id],
      ['sku', found.sku],
      ['title', found.title],
      ['languages', Object.keys(found.versions)],
      ['price', `${found.price_value} ${found.price_currency}`],
      ['active', found.is_active],
      ['availability', found.availability.status],
      ['axes', found.axes.map(({ code }) => code)],
      ['variants', found.variants.map(({ sku }) => sku)],
      ['changed', found.updated_at],
    ],
  });
}

/** Finds a product by its SKU, else by its `tu_id`. */
async function findProduct(
  products: Brandport['catalog']['products'],
  name: string,
  signal: AbortSignal,
): Promise<Product | null> {
  const { data } = await products.list({ sku: name, per_page: 1 }, { signal }).first();
  const [listed] = data;
  if (listed === undefined && !/^[\w-]{1,64}$/.test(name)) return null;
  try {
    return await products.get(listed?.tu_id ?? name, { signal });
  } catch (error) {
    if (isBrandportError(error, 'not_found')) return null;
    throw error;
  }
}
