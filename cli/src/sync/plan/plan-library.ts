import {
  type Axis,
  type AxisValue,
  type BodyName,
  bodyProblems,
  type EmbeddedVariant,
  libraryBounds,
  type Product,
  type StockLocation,
} from '@brandport/client';
import type { WantedAxisRow, WantedLocation, WantedSelection, WantedVariant } from '../wanted/wanted.ts';
import type { LibraryStep } from './plan-types.ts';

/** Returns the writes that give the library the axes and values of the rows. Nothing is deleted. */
export function planAxes(rows: readonly WantedAxisRow[], stored: readonly Axis[]): LibraryStep[] {
  const steps: LibraryStep[] = [];
  const byCode = new Map(stored.map((axis) => [axis.code, axis]));
  for (const code of new Set(rows.map((row) => row.code))) {
    const named = rows.filter((row) => row.code === code);
    const own = named.find(({ value }) => value === null);
    const values = named.filter(({ value }) => value !== null);
    const axis = byCode.get(code);
    if (axis === undefined) {
      const body = {
        code,
        ...created(own),
        ...(values.length > 0 && {
          values: values.map((row) => ({ value: row.value ?? '', ...created(row) })),
        }),
      };
      steps.push({ do: 'create_axis', body });
      if (own?.isActive === false) steps.push({ do: 'update_axis', code, body: { is_active: false } });
      for (const { value, isActive } of values)
        if (isActive === false)
          steps.push({ do: 'update_value', code, value: value ?? '', body: { is_active: false } });
      continue;
    }
    const changes = own === undefined ? null : changesOf(own, axis);
    if (changes !== null) steps.push({ do: 'update_axis', code, body: changes });
    for (const row of values) steps.push(...valueSteps(row, axis));
  }
  return steps;
}

/**
 * Returns which bounds of the service the library would exceed: axes that get values, and all of them.
 * @param planned the values of each axis once the rows are written
 */
export function libraryProblems(
  planned: ReadonlyMap<string, ReadonlySet<string>>,
  stored: readonly Axis[],
): string[] {
  const before = new Map(stored.map(({ code, values }) => [code, values.length]));
  const axes = [...planned].filter(
    ([code, { size }]) => size > libraryBounds.axis && size > (before.get(code) ?? 0),
  );
  const problems = axes.map(
    ([code, { size }]) =>
      `the axis "${code}" would have ${size} values; an axis has at most ${libraryBounds.axis}`,
  );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const all = sum([...planned.values()].map(({ size }) => size));
  if (all > libraryBounds.brand && all > sum([...before.values()]))
    problems.push(`the axes would have ${all} values in all; a brand has at most ${libraryBounds.brand}`);
  return problems;
}

/** Returns what the service would refuse of a body that is made of stored and given values; null: nothing. */
export function refusalOf(name: BodyName, body: object): string | null {
  const [problem] = bodyProblems(name, body);
  return problem === undefined ? null : `${problem.path.join('.')} ${problem.message}`;
}

function valueSteps(row: WantedAxisRow, { code, values }: Axis): LibraryStep[] {
  const value = row.value ?? '';
  const known = values.find((one) => one.value === value);
  if (known !== undefined) {
    const changes = changesOf(row, known);
    return changes === null ? [] : [{ do: 'update_value', code, value, body: changes }];
  }
  const steps: LibraryStep[] = [{ do: 'create_value', code, body: { value, ...created(row) } }];
  if (row.isActive === false) steps.push({ do: 'update_value', code, value, body: { is_active: false } });
  return steps;
}

function created(row: WantedAxisRow | undefined) {
  return {
    ...(row?.label !== undefined && { label: row.label }),
    ...(row?.position !== undefined && { position: row.position }),
  };
}

function changesOf({ label, position, isActive }: WantedAxisRow, stored: Axis | AxisValue) {
  const changes = {
    ...(label !== undefined && label !== stored.label && { label }),
    ...(position !== undefined && position !== stored.position && { position }),
    ...(isActive !== undefined && isActive !== stored.is_active && { is_active: isActive }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Returns the writes that create or change the stock locations of the rows. */
export function planLocations(
  wanted: Iterable<WantedLocation>,
  stored: readonly StockLocation[],
): LibraryStep[] {
  const steps: LibraryStep[] = [];
  for (const { code, name, isActive } of wanted) {
    const known = stored.find(({ external_code: external }) => external === code);
    const body = {
      ...(name !== undefined && name !== known?.name && { name }),
      ...(isActive !== undefined && isActive !== known?.is_active && { is_active: isActive }),
    };
    if (known === undefined) steps.push({ do: 'create_location', body: { external_code: code, ...body } });
    else if (Object.keys(body).length > 0) steps.push({ do: 'update_location', code, body });
  }
  return steps;
}

interface SelectionPlan {
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
  const conflict = conflictOf(selection, current, stored?.variants ?? []);
  const problem = conflict ?? refusalOf('ProductAxesReplace', { axes: selection });
  return { selection, isChanged: true, problem };
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

/** The order of the axes counts; the order of their values does not. */
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
