import type { Brandport, Product } from '@brandport/client';
import { isBrandportError } from '@brandport/client';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';

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
