import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import type { FieldProblems } from '../catalog-requests.ts';

/** Axis code -> value, as requests and responses carry a combination. */
export type AxisValues = Readonly<Record<string, string>>;

/**
 * The single check of a combination: each axis of the selection has exactly one of its selected values, and there is no other
 * key [catalog-50]. Without problems, returns the stored form: "axis id:value id" by axis id, separated by commas.
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
 * Returns a parser of stored combinations. The selection contains every axis and value that a live variant carries: neither can
 * be removed from it [catalog-46] [catalog-47].
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

/** Exact at any size; computed without listing them. */
export function countCombinations(selection: AxisSelection): bigint {
  return selection.reduce((count, { values }) => count * BigInt(values.length), 1n);
}

/** Returns every combination of a selection; the first axis varies slowest [catalog-59]. Count them first. */
export function listCombinations(selection: AxisSelection): AxisValues[] {
  const combinations = selection.reduce<(readonly [string, string])[][]>(
    (partial, { code, values }) =>
      partial.flatMap((pairs) => values.map(({ value }) => [...pairs, [code, value] as const])),
    [[]],
  );
  return combinations.map((pairs) => Object.fromEntries(pairs));
}
