import { ApiError } from '../../errors/api-error.ts';
import { FieldProblems } from '../field-problems.ts';
import {
  type AxisSelection,
  isSameSelection,
  type LibraryAxis,
  type SelectedAxis,
  type SelectedValue,
} from './axis-selection.ts';

export interface WantedAxis {
  readonly code: string;
  readonly values: readonly string[];
}

export interface SelectionGround {
  /** The library by code: at least the wanted axes and values that exist. */
  readonly axisLibrary: ReadonlyMap<string, LibraryAxis>;
  readonly current: AxisSelection;
  readonly hasVariants: boolean;
  /** The values that live variants of the product carry: axis id -> value ids. */
  readonly carried: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Returns the current selection if it stays the same. @throws ApiError `validation_failed`, then `axis_in_use` [catalog-47] */
export function changedSelection(wanted: readonly WantedAxis[], ground: SelectionGround): AxisSelection {
  const problems = new FieldProblems();
  const chosen = chooseAxes(wanted, ground, problems);
  problems.throwIfAny();
  checkDetached(chosen, ground);
  return isSameSelection(chosen, ground.current) ? ground.current : chosen;
}

/**
 * Applies the 422 rules of a declarative selection, and adds the problems of each entry at its index [catalog-42] [catalog-43]
 * [catalog-44] [catalog-45] [catalog-46]. Without problems, the result is the new selection.
 */
export function chooseAxes(
  wanted: readonly WantedAxis[],
  ground: SelectionGround,
  problems: FieldProblems,
): AxisSelection {
  const current = new Map(ground.current.map((axis) => [axis.code, axis]));
  const seen = new Set<string>();
  return wanted.flatMap(({ code, values }, index) => {
    const field = `axes.${index}`;
    const axis = ground.axisLibrary.get(code);
    if (seen.has(code)) problems.add(`${field}.code`, 'is a duplicate');
    else if (axis === undefined) problems.add(`${field}.code`, 'is not an axis of the brand');
    if (seen.has(code) || axis === undefined) return [];
    seen.add(code);
    const attached = current.get(code);
    if (attached === undefined) checkNewAxis(axis, ground.hasVariants, `${field}.code`, problems);
    const chosen = chooseValues(values, { axis, attached }, `${field}.values`, problems);
    const carried = attached === undefined ? undefined : ground.carried.get(attached.id);
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
  { current, carried }: Pick<SelectionGround, 'current' | 'carried'>,
): void {
  const kept = new Set(chosen.map(({ id }) => id));
  const missed = current.find(({ id }) => !kept.has(id) && carried.has(id));
  if (missed !== undefined)
    throw new ApiError('axis_in_use', {
      message: `The axis ${missed.code} cannot be detached because variants of the product use it.`,
    });
}
