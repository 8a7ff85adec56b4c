import { DemoError } from '../demo-error.ts';

/** An axis of a brand's library as sent; the positions are those of the list. */
export interface LibraryAxis {
  readonly code: string;
  readonly label: string;
  readonly values: readonly LibraryValue[];
}

export interface LibraryValue {
  readonly value: string;
  readonly label: string;
}

/** Axis code -> values that a product selects, in the product's order of axes. */
export interface AxisChoice {
  readonly code: string;
  /** In the library's order, in which they are served. */
  readonly values: readonly string[];
}

/**
 * Creates an axis from strings of a source, in their order. Each string becomes the label, unchanged, and gets a value
 * derived from it (`valuesFor`).
 */
export function axisOf(code: string, label: string, texts: readonly string[]): LibraryAxis {
  const values = valuesFor(texts);
  return { code, label, values: texts.map((text) => ({ value: values.get(text) as string, label: text })) };
}

/** Returns the axis's value for a string of the source. */
export function valueIn(axis: LibraryAxis, text: string): string {
  const found = axis.values.find(({ label }) => label === text);
  if (found === undefined) throw new DemoError(`The axis ${axis.code} has no value for ${text}.`);
  return found.value;
}

/** Returns the choice of these strings of the source, always in the library's order. */
export function choiceOf(axis: LibraryAxis, texts: Iterable<string>): AxisChoice {
  const chosen = new Set(texts);
  const values = axis.values.filter(({ label }) => chosen.has(label)).map(({ value }) => value);
  if (values.length !== chosen.size) throw new DemoError(`The axis ${axis.code} lacks values.`);
  return { code: axis.code, values };
}

const maxValueLength = 64;

/**
 * Derives a value of `[a-zA-Z0-9._-]{1,64}` from each of the strings, which are distinct. Case is kept;
 * letters lose their accents, `ß` becomes `ss`, and other characters become one `-`, or nothing at either
 * end. Equal results are numbered in their order: `Black` and `Black ` become `Black` and `Black-2`.
 */
export function valuesFor(texts: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const values = new Map<string, string>();
  for (const text of texts) {
    const plain = plainOf(text);
    let value = plain;
    for (let number = 2; taken.has(value); number++) {
      const suffix = `-${number}`;
      value = plain.slice(0, maxValueLength - suffix.length) + suffix;
    }
    taken.add(value);
    values.set(text, value);
  }
  return values;
}

function plainOf(text: string): string {
  const ascii = text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '');
  const plain = ascii.replaceAll(/[^a-zA-Z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'value' : plain.slice(0, maxValueLength);
}
