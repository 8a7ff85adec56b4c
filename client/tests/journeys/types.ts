import { Brandport, isBrandportError, type Product } from '@brandport/client';
import { type Brand, BrandportAdmin } from '@brandport/client/admin';

const brandport = new Brandport({ baseUrl: 'http://127.0.0.1', apiKey: 'key' });
const admin = new BrandportAdmin({ baseUrl: 'http://127.0.0.1', adminToken: 'token' });

export async function useTypes(): Promise<[Product, Brand, string[]]> {
  const product = await brandport.catalog.products.create({ sku: 'A', price_value: 1 });
  const created: string = product.sku;
  // @ts-expect-error: the SKU is required.
  await brandport.catalog.products.create({ title: 'A' });
  // @ts-expect-error: there is no such filter.
  brandport.catalog.products.list({ active: true });
  const names: string[] = [created];
  for await (const { sku } of brandport.catalog.products.list({ is_active: true })) names.push(sku ?? '');
  for await (const { user, metrics } of brandport.analytics.users.rows({ from: '2026-01-01' }))
    names.push(user.tu_id, String(metrics.views));
  try {
    await brandport.catalog.stock.adjust(product.tu_id, { quantity: 1, expected_quantity: 0 });
  } catch (error) {
    if (isBrandportError(error, 'stock_version_conflict')) names.push(String(error.currentQuantity));
    if (isBrandportError(error, 'validation_failed')) names.push(...Object.keys(error.errors));
  }
  return [product, await admin.brands.create({ name: 'B' }), names];
}
