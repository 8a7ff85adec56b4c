import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import type { FieldProblems } from '../field-problems.ts';

/** Axis code -> value, as requests and responses carry a combination. */
export type AxisValues = Readonly<Record<string, string>>;

/**
 * The one check of what a variant is made of, for single creation and for generation: each axis of the product's
 * selection is mapped to exactly one of its selected values, and nothing else is [catalog-50]. Inactive
 * axes and values count while they are selected. What is wrong is added to `problems` under `axis_values`.
 * Without problems the answer is the combination as it is stored: "axis id:value id" in ascending order of axis id,
 * separated by commas; so the order of a product's axes may change and a combination stays what it is.
 */
export function combinationOf(
  axisValues: AxisValues,
  selection: AxisSelection,
  problems: FieldProblems,
): string {
  if (selection.length === 0)
    problems.add('axis_values', 'must be empty because the product has no axis selection');
  const codes = new Set(selection.map(({ code }) => code));
  for (const code of Object.keys(axisValues))
    if (!codes.has(code) && selection.length > 0)
      problems.add(`axis_values.${code}`.slice(0, 500), 'is not an axis that the product selects');
  const pairs: (readonly [axisId: number, valueId: number])[] = [];
  for (const { id, code, values } of selection) {
    const wanted = Object.hasOwn(axisValues, code) ? axisValues[code] : undefined;
    const chosen = values.find(({ value }) => value === wanted);
    if (wanted === undefined) problems.add(`axis_values.${code}`, 'is required');
    else if (chosen === undefined)
      problems.add(`axis_values.${code}`, 'is not a value that the product selects');
    else pairs.push([id, chosen.id]);
  }
  return pairs
    .sort(([a], [b]) => a - b)
    .map(([axisId, valueId]) => `${axisId}:${valueId}`)
    .join(',');
}

/**
 * Reads stored combinations of a product's live variants back, in the product's order of axes. Its selection holds all
 * that they carry: neither an axis nor a value that a live variant carries can leave it [catalog-46] [catalog-47].
 */
export function combinationReader(selection: AxisSelection): (combination: string) => AxisValues {
  const axes = selection.map(({ id, code, values }) => ({
    id: String(id),
    code,
    values: new Map(values.map((selected) => [String(selected.id), selected.value])),
  }));
  return (combination) => {
    const carried = new Map(
      combination.split(',').map((pair) => pair.split(':') as [axisId: string, valueId: string]),
    );
    return Object.fromEntries(
      axes.flatMap(({ id, code, values }) => {
        const value = values.get(carried.get(id) ?? '');
        return value === undefined ? [] : [[code, value]];
      }),
    );
  };
}

/** How many combinations a selection has. Exact at any size, and worked out without making them. */
export function countCombinations(selection: AxisSelection): bigint {
  return selection.reduce((count, { values }) => count * BigInt(values.length), 1n);
}

/** Every combination of a selection, the first axis slowest [catalog-59]. Count them first. */
export function listCombinations(selection: AxisSelection): AxisValues[] {
  const combinations = selection.reduce<(readonly [string, string])[][]>(
    (partial, { code, values }) =>
      partial.flatMap((pairs) => values.map(({ value }) => [...pairs, [code, value] as const])),
    [[]],
  );
  return combinations.map((pairs) => Object.fromEntries(pairs));
}
