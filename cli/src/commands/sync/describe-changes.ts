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
