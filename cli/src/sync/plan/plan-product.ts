import type { EmbeddedVariant, ProductAxesReplace, ProductListItem, ProductUpdate } from '@brandport/client';
import type { Place } from '../../input/input-rows.ts';
import type { WantedProduct, WantedVariant } from '../wanted/wanted.ts';
import { planSelection, refusalOf } from './plan-library.ts';
import type { FieldChange, ProductGroup, ProductStep } from './plan-types.ts';
import { combinationKey, planVariants, productChanges } from './plan-variants.ts';
import type { Detail } from './product-memory.ts';

interface ProductInput {
  readonly sku: string;
  readonly wanted: WantedProduct | null;
  readonly variants: readonly WantedVariant[];
  /** null: the product has to be created. */
  readonly stored: ProductListItem | null;
  /** Only read for products whose variants or axes the input names. */
  readonly detail: Detail | null;
}

export interface ProductPlan {
  /** null: nothing is written. */
  readonly group: ProductGroup | null;
  /** The product and its variants that are stored as the rows want them. */
  readonly same: number;
  readonly problems: readonly { readonly place: Place | string; readonly message: string }[];
  readonly generatedSkus: readonly string[];
  readonly hasVariants: boolean;
}

/** Returns the problem of a selection; null if all its axes and values exist once the library is written. */
export type CheckAxes = (selection: NonNullable<WantedProduct['selection']>) => string | null;

/** Compares a product with its rows. A product with a problem is left out as a whole. */
export function planProduct(
  { sku, wanted, variants, stored, detail }: ProductInput,
  checkAxes: CheckAxes,
): ProductPlan {
  const hasVariants =
    variants.length > 0 || wanted?.wantsAllVariants === true || stored?.has_variants === true;
  const place = wanted?.place ?? variants[0]?.place ?? sku;
  const failed = (...problems: ProductPlan['problems']): ProductPlan => ({
    group: null,
    same: 0,
    problems,
    generatedSkus: [],
    hasVariants,
  });
  if (stored === null && wanted === null)
    return failed({ place, message: `the product ${sku} is neither stored nor in the input` });
  const selected = planSelection(wanted?.selection ?? null, variants, detail);
  const problem = selected.problem ?? (selected.isChanged ? checkAxes(selected.selection) : null);
  if (problem !== null) return failed({ place, message: problem });
  const planned = planVariants({
    productSku: sku,
    selection: selected.selection,
    stored: detail?.variants ?? [],
    wanted: variants,
    wantsAll: wanted?.wantsAllVariants ?? false,
    template: wanted?.skuTemplate ?? null,
    place,
  });
  if (planned.problems.length > 0) return failed(...planned.problems);

  const steps: ProductStep[] = [];
  const body = wanted === null ? null : bodyOf(wanted, stored);
  // The stored languages and the row's may be too many together.
  const refusal =
    body?.versions === undefined ? null : refusalOf('ProductUpdate', { versions: body.versions });
  if (refusal !== null) return failed({ place, message: refusal });
  if (body !== null && stored === null) steps.push({ do: 'create', body: { sku, ...body } });
  else if (body !== null) steps.push({ do: 'update', body });
  if (selected.isChanged) steps.push({ do: 'select', body: { axes: selected.selection } });
  if (planned.generate !== null) {
    const { template, activate, creates } = planned.generate;
    const generation = { activate, ...(template !== null && { sku_template: template }) };
    steps.push({ do: 'generate', body: generation, creates });
  }
  for (const { place: row, price, barcode, isActive, axisValues, sku: variantSku } of planned.create) {
    const created = {
      sku: variantSku,
      axis_values: axisValues,
      ...(price != null && { price: { value: price } }),
      ...(barcode != null && { barcode }),
      ...(isActive !== undefined && { is_active: isActive }),
    };
    steps.push({ do: 'create_variant', place: row, body: created });
  }
  for (const { place: row, axisValues, body: changes } of planned.update)
    steps.push({ do: 'update_variant', place: row, axis_values: axisValues, body: changes });
  const seen = stored === null ? null : { tuId: stored.tu_id, updatedAt: stored.updated_at };
  const isChanged = steps.some((step) => ['create', 'update', 'select'].includes(step.do));
  return {
    group: steps.length === 0 ? null : { sku, place, seen, steps },
    same: planned.same + (wanted !== null && !isChanged ? 1 : 0),
    problems: [],
    generatedSkus: planned.generatedSkus,
    hasVariants,
  };
}

function bodyOf(wanted: WantedProduct, stored: ProductListItem | null): Omit<ProductUpdate, 'sku'> | null {
  return stored === null ? (productChanges(wanted, { versions: {} }) ?? {}) : productChanges(wanted, stored);
}

/** Returns the fields that steps change, with their stored values. */
export function fieldChanges(
  steps: readonly ProductStep[],
  stored: ProductListItem,
  detail: Detail | null,
): FieldChange[] {
  return steps.flatMap((step) => fieldsOf(step, stored, detail));
}

function fieldsOf(step: ProductStep, stored: ProductListItem, detail: Detail | null): FieldChange[] {
  const { axes = [], variants = [] } = detail ?? {};
  switch (step.do) {
    case 'create':
      return [];
    case 'update': {
      const { versions = {}, ...fields } = step.body;
      const before = stored.versions;
      const tags = step.body.versions === undefined ? [] : Object.keys({ ...before, ...versions });
      return [
        ...Object.entries(fields).map(([field, to]) => change(field, stored[field as 'title'], to)),
        ...tags.flatMap((tag) =>
          (['title', 'short_description'] as const)
            .map((field) => change(`${field}:${tag}`, before[tag]?.[field], versions[tag]?.[field]))
            .filter(({ from, to }) => from !== to),
        ),
      ];
    }
    case 'select':
      return selectionChanges(axes, step.body.axes);
    case 'generate':
      return [change('variants', variants.length, variants.length + step.creates)];
    case 'create_variant': {
      const values = Object.entries(step.body.axis_values).map(([code, value]) => `${code}: ${value}`);
      return [{ variant: step.body.sku, ...change('axis_values', null, values.join(', ')) }];
    }
    case 'update_variant': {
      const key = combinationKey(step.axis_values);
      const known = variants.find(({ axis_values: axisValues }) => combinationKey(axisValues) === key);
      const variant = known?.sku ?? step.body.sku ?? Object.values(step.axis_values).join(', ');
      return Object.entries(step.body).map(([field, to]) => ({
        variant,
        ...change(field, plain(known?.[field as 'price']), plain(to)),
      }));
    }
  }
}

function change(field: string, from: unknown, to: unknown): FieldChange {
  return { field, from: from ?? null, to: to ?? null };
}

/** Returns a price as a number: null is the product's. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const price = value as Partial<EmbeddedVariant['price']>;
  return price.inherited === true ? null : price.value;
}

function selectionChanges(stored: Detail['axes'], wanted: ProductAxesReplace['axes']): FieldChange[] {
  const before = new Map(stored.map(({ code, values }) => [code, values.map(({ value }) => value)]));
  const after = new Map(wanted.map(({ code, values }) => [code, [...values]]));
  const text = (values: string[] | undefined) => values?.toSorted().join('|');
  const codes = [...new Set([...before.keys(), ...after.keys()])];
  const values = codes
    .map((code) => change(`axis:${code}`, text(before.get(code)), text(after.get(code))))
    .filter(({ from, to }) => from !== to);
  if (values.length > 0) return values;
  return [change('axes', [...before.keys()].join(', '), [...after.keys()].join(', '))];
}
