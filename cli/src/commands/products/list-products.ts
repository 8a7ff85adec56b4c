import type { ListProductsQuery } from '@brandport/client';
import { type Command, Option } from 'commander';
import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { nearestName } from '../../nearest-name.ts';

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

/** The service ignores fields that it does not know. */
const sortable = ['sku', 'created_at', 'updated_at'];

/** @throws UsageError */
function checkedSort(text: string | undefined): string | undefined {
  for (const part of text?.split(',') ?? []) {
    const field = part.trim().replace(/^-/, '');
    if (sortable.includes(field)) continue;
    const nearest = nearestName(field, sortable);
    throw new UsageError(
      `'${field}' is not a field for --sort: ${sortable.join(', ')}.${nearest === null ? '' : ` Did you mean '${nearest}'?`}`,
    );
  }
  return text;
}

export async function listProducts(
  context: CliContext,
  options: ListOptions & ProductFilter & { readonly sort?: string },
): Promise<undefined> {
  const query = { ...queryFrom(options), sort: checkedSort(options.sort), per_page: pageSize(options) };
  const { catalog } = await context.brandport();
  return writeList(context, options, catalog.products.list(query, { signal: context.signal }), {
    id: ({ tu_id }) => tu_id,
    columns: [
      { head: 'product', value: ({ tu_id }) => tu_id },
      { head: 'sku', value: ({ sku }) => sku },
      { head: 'title', value: ({ title }) => title },
      { head: 'price', value: ({ price_value, price_currency }) => `${price_value} ${price_currency}` },
      { head: 'active', value: ({ is_active }) => is_active },
      { head: 'availability', value: ({ availability }) => availability.status },
      { head: 'changed', value: ({ updated_at }) => updated_at },
    ],
  });
}
