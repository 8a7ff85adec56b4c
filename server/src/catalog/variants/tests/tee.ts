import type { TestApps } from '../../../../test/support/test-apps.ts';
import { type Axes, newAxes, newParent, ok } from '../../tests/new-axes.ts';

const colorsAndSizes: Axes = { color: ['red', 'blue'], size: ['s', 'm', 'l'] };

/** Creates a brand with the product `TEE`, which selects all values of two axes and has no variants yet. */
export async function newTee(apps: TestApps, axes = colorsAndSizes, fields: object = {}) {
  const { client, brandId } = await apps.newBrand();
  await newAxes(client, axes);
  const { tu_id } = await newParent(client, axes, { sku: 'TEE', ...fields });
  const product = await ok(client.get(`/catalog/products/${tu_id}`));
  const variantsPath = `/catalog/products/${tu_id}/variants`;
  const path = `${variantsPath}/generate`;
  return {
    client,
    brandId,
    product,
    variantsPath,
    path,
    generate: (body?: unknown) => client.create(path, body),
  };
}

/** The red variant in size `s` of a product without others, as it is created for the product's price; without id and times. */
export const firstVariant = (product_tu_id: string, sku: string, value: number) => ({
  product_tu_id,
  sku,
  barcode: null,
  axis_values: { color: 'red', size: 's' },
  price: { value, currency: 'EUR', inherited: true },
  position: 0,
  is_active: false,
  availability: { status: null, quantity: 0 },
});
