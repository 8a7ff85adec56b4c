import { Option } from 'commander';
import { addListOptions } from '../../arguments/list-options.ts';
import type { Define } from '../command.ts';
import { exportProducts } from './export-products.ts';
import { getProduct } from './get-product.ts';
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
