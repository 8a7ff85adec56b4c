import { isDeepStrictEqual } from 'node:util';

/**
 * An expected value that must be served unchanged, without further fields. Wraps maps, whose keys are data; an object
 * without it may be served with additional fields, since the API may add fields.
 */
export class Exactly {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * Describes all differences from the expected value, in sentences that begin with `path`. An expected undefined has to
 * be absent; arrays need the same entries in the same order.
 */
export function differencesBetween(expected: unknown, served: unknown, path: string): string[] {
  if (expected instanceof Exactly)
    return isDeepStrictEqual(expected.value, served) ? [] : [difference(path, expected.value, served)];
  if (Array.isArray(expected)) {
    if (!Array.isArray(served)) return [difference(path, expected, served)];
    if (served.length !== expected.length)
      return [`${path} has ${served.length} entries, expected were ${expected.length}`];
    return expected.flatMap((entry, index) => differencesBetween(entry, served[index], `${path}.${index}`));
  }
  if (isObject(expected)) {
    if (!isObject(served)) return [difference(path, expected, served)];
    return Object.entries(expected).flatMap(([field, value]) =>
      differencesBetween(value, served[field], `${path}.${field}`),
    );
  }
  return Object.is(expected, served) ? [] : [difference(path, expected, served)];
}

function difference(path: string, expected: unknown, served: unknown): string {
  return `${path} is ${shown(served)}, expected was ${shown(expected)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const maxShownLength = 300;

/** Formats a value in ASCII, so that look-alikes are distinguishable. */
export function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? 'absent').replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)} …` : text;
}

/** A page of a list as served, numbered from 1. */
export function pageOf<T>(all: readonly T[], page: number, perPage: number) {
  return {
    data: all.slice((page - 1) * perPage, page * perPage),
    meta: {
      current_page: page,
      per_page: perPage,
      total: all.length,
      last_page: lastPageOf(all.length, perPage),
    },
  };
}

export function lastPageOf(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}
