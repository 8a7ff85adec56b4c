import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { type ProductFilter, queryFrom } from './product-filter.ts';

export async function listProducts(
  context: CliContext,
  options: ListOptions & ProductFilter & { readonly sort?: string },
): Promise<undefined> {
  const query = { ...queryFrom(options), sort: options.sort, per_page: pageSize(options) };
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
