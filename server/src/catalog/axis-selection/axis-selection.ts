import { ApiError } from '../../errors/api-error.ts';
import { FieldProblems } from '../catalog-requests.ts';

export interface SelectedValue {
  readonly id: number;
  readonly value: string;
  readonly label: string | null;
  /** The position in the library. */
  readonly position: number;
  readonly isActive: boolean;
}

/** An axis that is attached to a product, with the values that the product selects: at least one. */
export interface SelectedAxis {
  readonly id: number;
  readonly code: string;
  readonly label: string | null;
  /** The position among the axes of the product, starting at 0. */
  readonly position: number;
  readonly isActive: boolean;
  /** Sorted by the library's position, then value [catalog-41]. */
  readonly values: readonly SelectedValue[];
}

/** The effective axes of a product in the product's order; empty when none is attached. */
export type AxisSelection = readonly SelectedAxis[];

/** An axis of the library, restricted to the values that a request names: by value, in the library's order. */
export interface LibraryAxis extends Omit<SelectedAxis, 'position' | 'values'> {
  readonly values: ReadonlyMap<string, SelectedValue>;
}

/** The most axes of a product, and the most values that it selects in all [catalog-131]. */
export const maxSelectedAxes = 50;
export const maxSelectedValues = 1_000;

export interface WantedAxis {
  readonly code: string;
  readonly values: readonly string[];
}

/** The selection of a product before it is replaced. */
export interface SelectionBefore {
  /** The library by code: at least the wanted axes and values that exist. */
  readonly axisLibrary: ReadonlyMap<string, LibraryAxis>;
  readonly current: AxisSelection;
  readonly hasVariants: boolean;
  /** The values that live variants of the product carry: axis id -> value ids. */
  readonly carried: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Returns the current selection if it stays the same. @throws ApiError `validation_failed`, then `axis_in_use` [catalog-47] */
export function changedSelection(wanted: readonly WantedAxis[], before: SelectionBefore): AxisSelection {
  const problems = new FieldProblems();
  const chosen = chooseAxes(wanted, before, problems);
  problems.throwIfAny();
  checkDetached(chosen, before);
  return isSameSelection(chosen, before.current) ? before.current : chosen;
}

/**
 * Applies the 422 rules of a declarative selection, and adds the problems of each entry at its index [catalog-42] [catalog-43]
 * [catalog-44] [catalog-45] [catalog-46]. Without problems, the result is the new selection.
 */
export function chooseAxes(
  wanted: readonly WantedAxis[],
  before: SelectionBefore,
  problems: FieldProblems,
): AxisSelection {
  const current = new Map(before.current.map((axis) => [axis.code, axis]));
  const seen = new Set<string>();
  return wanted.flatMap(({ code, values }, index) => {
    const field = `axes.${index}`;
    const axis = before.axisLibrary.get(code);
    if (seen.has(code)) problems.add(`${field}.code`, 'is a duplicate');
    else if (axis === undefined) problems.add(`${field}.code`, 'is not an axis of the brand');
    if (seen.has(code) || axis === undefined) return [];
    seen.add(code);
    const attached = current.get(code);
    if (attached === undefined) checkNewAxis(axis, before.hasVariants, `${field}.code`, problems);
    const chosen = chooseValues(values, { axis, attached }, `${field}.values`, problems);
    const carried = attached === undefined ? undefined : before.carried.get(attached.id);
    for (const value of lostValues(attached, new Set(chosen.map(({ id }) => id)), carried))
      problems.add(`${field}.values`, `must keep ${value}, which a variant uses`);
    return [{ ...axis, position: index, values: chosen }];
  });
}

function checkNewAxis(axis: LibraryAxis, hasVariants: boolean, field: string, problems: FieldProblems): void {
  if (!axis.isActive) problems.add(field, 'is inactive and must not be newly attached');
  if (hasVariants) problems.add(field, 'must not be newly attached while the product has variants');
}

function chooseValues(
  values: readonly string[],
  { axis, attached }: { axis: LibraryAxis; attached: SelectedAxis | undefined },
  field: string,
  problems: FieldProblems,
): SelectedValue[] {
  const selected = new Set(attached?.values.map(({ id }) => id));
  const chosen = new Set<SelectedValue>();
  for (const [index, value] of values.entries()) {
    const known = axis.values.get(value);
    if (known === undefined) problems.add(`${field}.${index}`, `is not a value of the axis ${axis.code}`);
    else if (chosen.has(known)) problems.add(`${field}.${index}`, 'is a duplicate');
    else {
      chosen.add(known);
      if (!known.isActive && !selected.has(known.id))
        problems.add(`${field}.${index}`, 'is inactive and must not be newly selected');
    }
  }
  // In the library's order, as a selection is shown [catalog-41].
  return [...axis.values.values()].filter((known) => chosen.has(known));
}

function lostValues(
  attached: SelectedAxis | undefined,
  chosen: ReadonlySet<number>,
  carried: ReadonlySet<number> | undefined,
): string[] {
  const lost = attached?.values.filter(({ id }) => !chosen.has(id) && carried?.has(id) === true);
  return lost?.map(({ value }) => value) ?? [];
}

/** Runs after all 422 rules. @throws ApiError `axis_in_use` for a detached axis that a live variant carries [catalog-47] */
export function checkDetached(
  chosen: AxisSelection,
  { current, carried }: Pick<SelectionBefore, 'current' | 'carried'>,
): void {
  const kept = new Set(chosen.map(({ id }) => id));
  const missed = current.find(({ id }) => !kept.has(id) && carried.has(id));
  if (missed !== undefined)
    throw new ApiError('axis_in_use', {
      message: `The axis ${missed.code} cannot be detached because variants of the product use it.`,
    });
}

/** Compares the order of axes too. */
export function isSameSelection(chosen: AxisSelection, current: AxisSelection): boolean {
  return (
    chosen.length === current.length &&
    chosen.every(({ id, values }, index) => {
      const axis = current[index];
      if (axis?.id !== id || axis.values.length !== values.length) return false;
      const present = new Set(axis.values.map((selected) => selected.id));
      return values.every((selected) => present.has(selected.id));
    })
  );
}
