import { jsonForTerminal, visibleText } from '../../output/visible-text.ts';
import { nameOf } from '../../sync/apply/apply-plan.ts';
import type { FieldChange, SyncPlan } from '../../sync/plan/plan-types.ts';

const shownOfKind = 20;
const shownFields = 10;
const shownCharacters = 60;

/** Returns what a plan does by name: the first of each kind, and the number of the others [D276]. */
export function describeDifferences(plan: SyncPlan): string {
  const { library, changes, changed, archives, stock } = plan;
  const lines = [
    ...first(library, library.length, (step) => [`# ${visibleText(nameOf(step))}`]),
    ...first(createsOf(plan), plan.counts.create, ({ sku, title, variants }) => [
      `+ ${visibleText(sku)}${title === null ? '' : `  ${visibleText(title)}`}${variants === 0 ? '' : `  (${variants} variants)`}`,
    ]),
    ...first(changes, changed, ({ sku, fields }) => [
      `~ ${visibleText(sku)}`,
      ...fields.slice(0, shownFields).map((field) => `    ${describeField(field)}`),
      ...(fields.length > shownFields ? [`    … and ${fields.length - shownFields} more`] : []),
    ]),
    ...first(stock, stock.length, ({ from, line }) => [
      `↑ ${visibleText(`${line.sku} at ${line.location_code}`)}: ${from ?? 'none'} → ${line.quantity}`,
    ]),
    ...first(archives, archives.length, ({ sku }) => [
      `- ${visibleText(sku)}`,
      '    is_active: true → false',
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the products that a plan creates, with the number of their variants. */
export function createsOf({ products }: SyncPlan) {
  return products.flatMap(({ sku, steps }) => {
    const [step] = steps;
    if (step?.do !== 'create') return [];
    const [translated] = Object.values(step.body.versions ?? {});
    const variants = steps.reduce(
      (count, one) => count + (one.do === 'generate' ? one.creates : one.do === 'create_variant' ? 1 : 0),
      0,
    );
    return [{ sku, title: step.body.title ?? translated?.title ?? null, variants }];
  });
}

function first<T>(items: readonly T[], count: number, linesOf: (item: T) => readonly string[]): string[] {
  const left = count - Math.min(items.length, shownOfKind);
  return [
    ...items.slice(0, shownOfKind).flatMap(linesOf),
    ...(left > 0 ? [`… and ${left} more; --json lists all`] : []),
  ];
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
