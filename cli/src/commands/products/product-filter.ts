import type { ListProductsQuery } from '@brandport/client';
import { type Command, Option } from 'commander';

export interface ProductFilter {
  readonly sku?: string;
  readonly active?: boolean;
  readonly archived?: boolean;
  readonly updatedSince?: string;
}

export function addProductFilter(command: Command): Command {
  return command
    .option('--sku <sku>', 'only the product with this SKU')
    .addOption(new Option('--active', 'only active products').conflicts('archived'))
    .option('--archived', 'only products that are not active')
    .option('--updated-since <time>', 'only products that were changed at or after this time');
}

/** Returns the query of the list operation. The service checks the values. */
export function queryFrom({ sku, active, archived, updatedSince }: ProductFilter): ListProductsQuery {
  return {
    sku,
    is_active: active === true ? true : archived === true ? false : undefined,
    updated_since: updatedSince,
  };
}
