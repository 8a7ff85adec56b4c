import { isDeepStrictEqual } from 'node:util';
import type { DatasetName, ExpectedRow, Row } from './served-rows.ts';

/** Compares served rows with the expected ones, each of which must occur once. */
export class RowComparison {
  readonly #missing = new Map<string, Row[]>();

  constructor(expected: readonly ExpectedRow[]) {
    for (const { row } of expected) {
      const rows = this.#missing.get(keyOf(row));
      // Rows of orphaned references have no distinct keys.
      if (rows === undefined) this.#missing.set(keyOf(row), [row]);
      else rows.push(row);
    }
  }

  /** Describes every wrong field of the row, in sentences. */
  differencesOf(served: Row): string[] {
    const key = keyOf(served);
    const candidates = this.#missing.get(key) ?? [];
    const same = candidates.findIndex((row) => isDeepStrictEqual(row, served));
    const [expected] = candidates.splice(Math.max(0, same), 1);
    if (expected === undefined) return [`${key}: served twice, or nothing happened`];
    return same >= 0 ? [] : fieldDifferences(expected, served).map((difference) => `${key}: ${difference}`);
  }

  /** Describes the rows that were not served, as sentences. */
  missing(): string[] {
    return [...this.#missing].flatMap(([key, rows]) => rows.map(() => `${key}: not served`));
  }
}

/** Describes the row by its day and other keys. */
function keyOf({ date, user, content, market }: Row): string {
  const parts = [date, user?.tu_id, market?.tu_id];
  if (content !== undefined) parts.push(content === null ? 'orphaned' : `${content.type}/${content.tu_id}`);
  return parts.filter((part) => part !== undefined).join(' ');
}

function fieldDifferences(expected: unknown, served: unknown): string[] {
  const [wanted, got] = [fieldsOf(expected), fieldsOf(served)];
  return [...new Set([...wanted.keys(), ...got.keys()])]
    .filter((path) => wanted.get(path) !== got.get(path))
    .map((path) => `${path} is ${got.get(path) ?? 'absent'}, not ${wanted.get(path) ?? 'served'}`);
}

/** Every leaf as JSON by its dotted path. */
function fieldsOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...fieldsOf(inner, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/**
 * Checks the order of a walk [analytics-22]. The internal ids are not served, but their consequences are
 * visible: the rows of a content or learner are consecutive, and their days ascend. Orphaned references are
 * indistinguishable.
 */
export class RowOrder {
  readonly #dataset: DatasetName;
  readonly #finished = new Set<string>();
  #group: string | null = null;
  #date = '';

  constructor(dataset: DatasetName) {
    this.#dataset = dataset;
  }

  /** Returns the problem with the position of the next row, or null. */
  faultOf({ date, user, content }: Row): string | null {
    let group: string | null = '';
    if (this.#dataset === 'users') group = user?.tu_id ?? null;
    else if (this.#dataset !== 'daily') group = content ? `${content.type}/${content.tu_id}` : null;
    if (group === this.#group) {
      const isBackward = group !== null && date < this.#date;
      this.#date = date;
      return isBackward ? `${group} ${date}: its days do not ascend` : null;
    }
    if (this.#group !== null) this.#finished.add(this.#group);
    this.#group = group;
    this.#date = date;
    return group !== null && this.#finished.has(group)
      ? `${group} ${date}: its rows do not come together`
      : null;
  }
}
