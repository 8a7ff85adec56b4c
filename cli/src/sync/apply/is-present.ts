import type { EmbeddedVariant, Product } from '@brandport/client';
import { planSelection } from '../plan/plan-selection.ts';
import type { ProductStep } from '../plan/plan-types.ts';
import { combinationKey, productChanges, variantChanges } from '../plan/product-differences.ts';
import { combinations } from '../plan/sku-template.ts';

/** Returns whether a product shows the effect of a step already. */
export function isPresent(step: ProductStep, product: Product): boolean {
  switch (step.do) {
    case 'create':
    case 'update':
      return hasFields(step.body, product);
    case 'select':
      return !planSelection(step.body.axes, [], product).isChanged;
    case 'generate': {
      const stored = new Set(product.variants.map((variant) => combinationKey(variant.axis_values)));
      const axes = product.axes.map(({ code, values }) => ({
        code,
        values: values.map(({ value }) => value),
      }));
      return combinations(axes).every((axisValues) => stored.has(combinationKey(axisValues)));
    }
    case 'create_variant':
      return findVariant(product.variants, step.body.axis_values)?.sku === step.body.sku;
    case 'update_variant': {
      const variant = findVariant(product.variants, step.axis_values);
      if (variant === undefined) return false;
      const { sku = variant.sku ?? '', price, barcode, is_active: isActive } = step.body;
      const wantedPrice = price === undefined ? undefined : (price?.value ?? null);
      return variantChanges({ sku, price: wantedPrice, barcode, isActive }, variant) === null;
    }
  }
}

/** Returns whether a product has all fields of a body. */
export function hasFields(
  body: (ProductStep & { do: 'create' | 'update' })['body'],
  product: Parameters<typeof productChanges>[1] & { readonly sku: string | null },
): boolean {
  const { sku, versions = {}, type: _, ...fields } = body;
  const wanted = { fields, versions: versions as Parameters<typeof productChanges>[0]['versions'] };
  return (sku === undefined || sku === product.sku) && productChanges(wanted, product) === null;
}

function findVariant<V extends Pick<EmbeddedVariant, 'axis_values'>>(
  variants: readonly V[],
  axisValues: Readonly<Record<string, string>>,
): V | undefined {
  const key = combinationKey(axisValues);
  return variants.find((variant) => combinationKey(variant.axis_values) === key);
}
