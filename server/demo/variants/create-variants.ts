import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { type Parent, type PendingParent, type Variant, type VariantSource, variantsOf } from './parent.ts';
import { servedVariant } from './served-parent.ts';

/**
 * Creates every variant, those of one product one after the other, and returns the products with their new variants.
 */
export async function createVariants(
  run: DataSetRun,
  brand: DemoBrand,
  pending: readonly PendingParent[],
): Promise<Parent[]> {
  const { lowStockThreshold } = brand;
  return run.step(brand, 'create variants', variantsOf(pending), async (step) => {
    const parents: Parent[] = [];
    await shareOut(brand.clients, pending, async (client, parent, index) => {
      const variants: Variant[] = [];
      for (const variant of parent.variants) {
        const answer = await create(client, parent.tuId, variant);
        if (answer.status === 201) {
          const made = { ...variant, tuId: answer.json.tu_id };
          const expected = servedVariant(parent, made, variants.length, {
            quantity: null,
            lowStockThreshold,
          });
          for (const text of differencesBetween(expected, answer.json, variant.sku)) step.differs(text);
          variants.push(made);
        } else step.differs(`${variant.sku}: ${answer.status} ${answer.bytes.toString('utf8', 0, 500)}`);
        step.advance();
      }
      parents[index] = { ...parent, variants };
    });
    return parents;
  });
}

function create(client: BrandClient, parentTuId: string, { sku, axisValues, price }: VariantSource) {
  const body = {
    sku,
    axis_values: axisValues,
    is_active: true,
    ...(price !== null && { price: { value: price } }),
  };
  const idempotencyKey = `create-variant:${encodeURIComponent(sku)}`;
  return client.send((api, call) =>
    api.catalog.variants.create(parentTuId, body, { ...call, idempotencyKey }),
  );
}
