import type { EmbeddedVariant, Product } from '@brandport/client';
import type { WantedSelection, WantedVariant } from '../wanted/wanted.ts';

export interface SelectionPlan {
  /** The selection that the product is to have. */
  readonly selection: WantedSelection;
  readonly isChanged: boolean;
  readonly problem: string | null;
}

/**
 * Determines the selection of a product: the stated one, or else the stored one with the axes and values that the rows of
 * its variants need.
 */
export function planSelection(
  stated: WantedSelection | null,
  rows: readonly WantedVariant[],
  stored: Pick<Product, 'axes' | 'variants'> | null,
): SelectionPlan {
  const current = (stored?.axes ?? []).map(({ code, values }) => ({
    code,
    values: values.map(({ value }) => value),
  }));
  const selection = stated ?? extended(current, rows);
  if (isSame(selection, current)) return { selection: current, isChanged: false, problem: null };
  return { selection, isChanged: true, problem: conflictOf(selection, current, stored?.variants ?? []) };
}

function extended(current: WantedSelection, rows: readonly WantedVariant[]): WantedSelection {
  const axes = new Map(current.map(({ code, values }) => [code, new Set(values)]));
  for (const { axisValues } of rows)
    for (const [code, value] of Object.entries(axisValues)) {
      if (value === '') continue;
      const values = axes.get(code) ?? new Set();
      axes.set(code, values.add(value));
    }
  return [...axes].map(([code, values]) => ({ code, values: [...values] }));
}

/** The order of the axes counts, that of their values does not. */
function isSame(one: WantedSelection, other: WantedSelection): boolean {
  const text = (selection: WantedSelection) =>
    JSON.stringify(selection.map(({ code, values }) => [code, values.toSorted()]));
  return text(one) === text(other);
}

/** Returns why the service would refuse the selection. */
function conflictOf(
  selection: WantedSelection,
  current: WantedSelection,
  variants: readonly EmbeddedVariant[],
): string | null {
  if (variants.length === 0) return null;
  const added = selection.find(({ code }) => !current.some((axis) => axis.code === code));
  if (added !== undefined) return `the axis "${added.code}" cannot be added: the product has variants`;
  for (const { axis_values: axisValues } of variants)
    for (const [code, value] of Object.entries(axisValues))
      if (!selection.find((axis) => axis.code === code)?.values.includes(value))
        return `the selection leaves out "${value}" of the axis "${code}", which a variant has`;
  return null;
}
