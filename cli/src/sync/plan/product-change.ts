import type { EmbeddedVariant, ProductAxesReplace, ProductListItem } from '@brandport/client';
import type { Detail } from './detail-cache.ts';
import type { ProductGroup, ProductStep } from './plan-types.ts';
import { combinationKey } from './product-differences.ts';

export interface FieldChange {
  /** The SKU of the variant that has the field; without it, the product has it. */
  readonly variant?: string;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields that a plan changes in a stored product. */
export interface ProductChange {
  readonly kind: ProductGroup['kind'];
  readonly sku: string;
  readonly fields: readonly FieldChange[];
}

/** Keeps the first changes of a plan and counts all of them [D276]: the file of the plan has all. */
export class ProductChanges {
  readonly kept: ProductChange[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(change: () => ProductChange): void {
    this.#count += 1;
    if (this.kept.length < 20) this.kept.push(change());
  }
}

/** Returns the fields that the steps of a product change, with their stored values. */
export function productChange(
  { kind, sku, steps }: Pick<ProductGroup, 'kind' | 'sku' | 'steps'>,
  stored: Partial<ProductListItem>,
  detail: Detail | null,
): ProductChange {
  return { kind, sku, fields: steps.flatMap((step) => fieldsOf(step, stored, detail)) };
}

function fieldsOf(step: ProductStep, stored: Partial<ProductListItem>, detail: Detail | null): FieldChange[] {
  const { axes = [], variants = [] } = detail ?? {};
  switch (step.do) {
    case 'create':
      return [];
    case 'update': {
      const { versions = {}, ...fields } = step.body;
      const before = stored.versions ?? {};
      return [
        ...Object.entries(fields).map(([field, to]) => change(field, stored[field as 'title'], to)),
        ...Object.keys(versions).flatMap((tag) =>
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

/** Returns a price as a number: null is that of the product. */
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
