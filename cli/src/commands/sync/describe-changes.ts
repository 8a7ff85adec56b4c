import type { CliContext } from '../../context/cli-context.ts';
import type { Problem } from '../../input/problems.ts';
import { jsonForTerminal, visibleText } from '../../output/visible-text.ts';
import type { PlanResult } from '../../sync/plan/plan-options.ts';
import type { FieldChange } from '../../sync/plan/product-change.ts';

const shownFields = 10;
const shownCharacters = 60;

/** Returns the changes that a plan keeps, a line for each field, and the number of the others. */
export function describeChanges({
  changes,
  changed,
  out,
}: Pick<PlanResult, 'changes' | 'changed' | 'out'>): string {
  const lines = changes.flatMap(({ kind, sku, fields }) => [
    `${kind === 'archive' ? '-' : '~'} ${visibleText(sku)}`,
    ...fields.slice(0, shownFields).map((field) => `    ${describeField(field)}`),
    ...(fields.length > shownFields ? [`    … and ${fields.length - shownFields} more`] : []),
  ]);
  const left = changed - changes.length;
  if (left > 0) lines.push(`… and ${left} more; ${out === null ? '--out writes' : `${out} has`} all`);
  return lines.map((line) => `${line}\n`).join('');
}

function describeField({ variant, field, from, to }: FieldChange): string {
  const [before, after] = [from, to].map((value) => [...jsonForTerminal(value)]) as [string[], string[]];
  const differs = before.findIndex((letter, at) => letter !== after[at]);
  const same = differs === -1 ? before.length : differs;
  // Of long values, the place where they differ is shown.
  const start = same < shownCharacters / 2 ? 0 : same - shownCharacters / 4;
  const part = (letters: string[]) =>
    [
      start > 0 ? '…' : '',
      ...letters.slice(start, start + shownCharacters),
      letters.length > start + shownCharacters ? '…' : '',
    ].join('');
  const name = variant === undefined ? field : `${visibleText(variant)} ${field}`;
  return `${visibleText(name)}: ${part(before)} → ${part(after)}`;
}

const shown = 20;

const shownPlaces = 3;

/** Writes problems to standard error: the first ones, and the number of the others. `--json` has all. */
export function tellProblems(
  context: Pick<CliContext, 'tell'>,
  problems: readonly Problem[],
  count: number,
): void {
  let left = count;
  for (const problem of problems.slice(0, shown)) {
    context.tell(`problem: ${problem.at}: ${problem.message}${repetitions(problem)}`);
    left -= problem.count ?? 1;
  }
  if (left > 0) context.tell(`problem: and ${left} more; --json lists up to 1,000.`);
}

function repetitions({ count, alsoAt = [] }: Problem): string {
  if (count === undefined) return '';
  const places = [...alsoAt.slice(0, shownPlaces), ...(count - 1 > shownPlaces ? ['…'] : [])];
  return ` (${count} times, also at ${places.join(', ')})`;
}

/** Returns a value whose objects have the names of the API: `generatedVariants` becomes `generated_variants`. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(part),
    ]),
  );
}
