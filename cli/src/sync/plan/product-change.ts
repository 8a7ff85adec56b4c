import type { EmbeddedVariant, ProductAxesReplace, ProductListItem } from '@brandport/client';
import type { FieldChange, ProductStep } from './plan-types.ts';
import { combinationKey } from './product-differences.ts';
import type { Detail } from './product-memory.ts';

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
