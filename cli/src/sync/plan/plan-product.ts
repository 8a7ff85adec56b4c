import type { Product, ProductListItem, ProductUpdate } from '@brandport/client';
import type { Place } from '../../input/input-rows.ts';
import type { WantedProduct, WantedVariant } from '../wanted/wanted.ts';
import type { KnownAxes } from './known-axes.ts';
import type { PlanCounts } from './plan-counts.ts';
import { planSelection } from './plan-selection.ts';
import type { ProductGroup, ProductStep } from './plan-types.ts';
import { planVariants } from './plan-variants.ts';
import { type ProductChange, productChange } from './product-change.ts';
import { productChanges } from './product-differences.ts';
import type { StepKeys } from './step-keys.ts';

export interface ProductInput {
  readonly sku: string;
  readonly wanted: WantedProduct | null;
  readonly variants: readonly WantedVariant[];
  /** null: the product has to be created. */
  readonly stored: ProductListItem | null;
  /** Only read for products whose variants or axes the input names. */
  readonly detail: Pick<Product, 'axes' | 'variants'> | null;
}

export interface ProductPlan {
  readonly group: ProductGroup | null;
  /** Returns the changed fields; absent for a product without writes, and for a new one. */
  readonly change?: () => ProductChange;
  readonly problems: readonly { readonly place: Place | string; readonly message: string }[];
  readonly generatedSkus: readonly string[];
  readonly hasVariants: boolean;
}

/** Compares a product with its rows. A product with a problem is left out as a whole. */
export async function planProduct(
  { sku, wanted, variants, stored, detail }: ProductInput,
  { axes, keys, counts }: { readonly axes: KnownAxes; readonly keys: StepKeys; readonly counts: PlanCounts },
): Promise<ProductPlan> {
  const hasVariants =
    variants.length > 0 || wanted?.wantsAllVariants === true || stored?.has_variants === true;
  const place = wanted?.place ?? variants[0]?.place ?? sku;
  const failed = (message: string): ProductPlan => ({
    group: null,
    problems: [{ place, message }],
    generatedSkus: [],
    hasVariants,
  });
  if (stored === null && wanted === null)
    return failed(`the product ${sku} is neither stored nor in the input`);
  const selected = planSelection(wanted?.selection ?? null, variants, detail);
  const problem = selected.problem ?? (selected.isChanged ? axes.unknown(selected.selection) : null);
  if (problem !== null) return failed(problem);
  const planned = planVariants({
    productSku: sku,
    selection: selected.selection,
    stored: detail?.variants ?? [],
    wanted: variants,
    wantsAll: wanted?.wantsAllVariants ?? false,
    template: wanted?.skuTemplate ?? null,
    place,
  });
  if (planned.problems.length > 0)
    return { group: null, problems: planned.problems, generatedSkus: [], hasVariants };

  const steps: ProductStep[] = [];
  const key = (body: object) => keys.key(sku, steps.length, body);
  const body = wanted === null ? null : bodyOf(wanted, stored);
  if (body !== null && stored === null)
    steps.push({ do: 'create', key: await key(body), body: { sku, ...body } });
  else if (body !== null) steps.push({ do: 'update', key: await key(body), body });
  if (selected.isChanged) steps.push({ do: 'select', body: { axes: selected.selection } });
  if (planned.generate !== null) {
    const { template, activate, creates } = planned.generate;
    const generation = { activate, ...(template !== null && { sku_template: template }) };
    steps.push({ do: 'generate', key: await key(generation), body: generation, creates });
  }
  for (const variant of planned.create) {
    const { price, barcode, isActive, axisValues } = variant;
    const created = {
      sku: variant.sku,
      axis_values: axisValues,
      ...(price != null && { price: { value: price } }),
      ...(barcode != null && { barcode }),
      ...(isActive !== undefined && { is_active: isActive }),
    };
    steps.push({ do: 'create_variant', key: await key(created), body: created });
  }
  for (const { axisValues, body: changes } of planned.update)
    steps.push({ do: 'update_variant', axis_values: axisValues, body: changes });

  count(counts, { steps, isNew: stored === null, same: planned.same, isListed: wanted !== null });
  const { generatedSkus } = planned;
  if (steps.length === 0) return { group: null, problems: [], generatedSkus, hasVariants };
  const seen = { tu_id: stored?.tu_id ?? null, updated_at: stored?.updated_at ?? null };
  const group: ProductGroup = { kind: 'product', sku, ...seen, steps };
  return {
    group,
    ...(stored !== null && { change: () => productChange(group, stored, detail) }),
    problems: [],
    generatedSkus,
    hasVariants,
  };
}

function bodyOf(wanted: WantedProduct, stored: ProductListItem | null): Omit<ProductUpdate, 'sku'> | null {
  if (stored !== null) return productChanges(wanted, stored);
  const hasVersions = Object.keys(wanted.versions).length > 0;
  return { ...wanted.fields, ...(hasVersions && { versions: wanted.versions }) };
}

function count(
  counts: PlanCounts,
  planned: { steps: readonly ProductStep[]; isNew: boolean; same: number; isListed: boolean },
): void {
  const { steps, isNew } = planned;
  const of = (...kinds: ProductStep['do'][]) => steps.filter((step) => kinds.includes(step.do)).length;
  counts.same += planned.same;
  counts.writes += steps.length;
  // A look before the writes, and one after a selection: it does not return the new time of the product.
  counts.reads += (steps.length > 0 && !isNew ? 1 : 0) + of('select');
  counts.create += of('create');
  counts.createVariants += of('create_variant');
  counts.patch += of('update_variant') + (!isNew && of('update', 'select') > 0 ? 1 : 0);
  for (const step of steps)
    if (step.do === 'generate') {
      counts.generate += 1;
      counts.generatedVariants += step.creates;
    }
  if (planned.isListed && !isNew && of('update', 'select') === 0) counts.same += 1;
}
