import { type BodyName, type BodyProblem, bodyProblems } from '@brandport/client';
import { nearestName } from '../generated/nearest-name.ts';
import { visibleText } from '../output/visible-text.ts';
import type { InputRow, Place } from './input-rows.ts';
import { integerHint, numberHint } from './number-hint.ts';
import { isColumn, typeOfColumn } from './row-kinds.ts';

const longestShown = 60;

/** Reads the values of a row, and reports what the service would refuse of them under the names of the file. */
export class RowReader {
  readonly row: InputRow;
  readonly #problems: Problems;
  #isFine = true;

  constructor(row: InputRow, problems: Problems) {
    this.row = row;
    this.#problems = problems;
  }

  /** false once a value was refused. */
  get isFine(): boolean {
    return this.#isFine;
  }

  get names(): readonly string[] {
    return Object.keys(this.row.values);
  }

  has(name: string): boolean {
    return this.row.values[name] !== undefined;
  }

  /** Returns any value, without a check. */
  raw(name: string): unknown {
    return this.row.values[name];
  }

  refuse(message: string): undefined {
    this.#isFine = false;
    this.#problems.add(this.row, message);
    return undefined;
  }

  /**
   * Reports what the service would refuse of a body that comes from the row.
   * @param columnOf returns the column that a part of the body comes from; default: the one of its name
   */
  check(name: BodyName, body: object, columnOf = ([first]: BodyProblem['path']) => String(first)): void {
    for (const { path, message } of bodyProblems(name, body)) {
      const column = columnOf(path);
      const value = this.raw(column);
      const text = value === undefined || typeof value === 'object' ? '' : JSON.stringify(value);
      const shown = text === '' || text.length > longestShown ? '' : ` ${visibleText(text)}`;
      this.refuse(`${this.#label(column)}${shown} ${message}${this.#hint(column, message)}`);
    }
  }

  /** Returns what to do about a value of the wrong type. Only `sync` reads prices, and it has `--decimal`. */
  #hint(column: string, message: string): string {
    const value = this.raw(column);
    if (message === 'must be a boolean') return ': true or false';
    if (typeof value !== 'string') return '';
    const type = typeOfColumn(column);
    if (type === 'integer') return integerHint(value);
    return type === 'number' ? numberHint(value, this.row.decimal ?? '.') : '';
  }

  /** Reports the names that are not columns of the row, once for a file: they are probably misspelt. */
  refuseUnknown(columns: readonly string[]): void {
    for (const name of this.names)
      if (!isColumn(name, columns)) {
        this.#isFine = false;
        this.#problems.addOnce(this.row, `the column "${name}" is not known${hintFor(name, columns)}`);
      }
  }

  #label(column: string): string {
    const name = this.row.namesInFile[column] ?? column;
    return name.toLowerCase() === column.toLowerCase() ? column : `${name} (${column})`;
  }
}

function hintFor(name: string, columns: readonly string[]): string {
  const known = columns.toSorted((a, b) => a.length - b.length);
  const lower = name.toLowerCase();
  const nearest = nearestName(lower, known);
  const meant =
    known.find((one) => one.startsWith(`${lower}_`)) ?? (nearest?.isClose === true ? nearest.name : null);
  return meant === null ? '; --ignore leaves it alone' : `; did you mean "${meant}"?`;
}

/** A row, a product or a file that the input has to correct. */
export interface Problem {
  /** `file:line`, or the SKU; of a problem that repeats, the first place. */
  readonly at: string;
  readonly message: string;
  /** The number of places, if there are several. */
  readonly count?: number;
  /** The next places, up to 20. */
  readonly alsoAt?: readonly string[];
}

const mostPlaces = 20;

/** Collects problems; keeps the first ones and counts all of them. */
export class Problems {
  readonly kept: Problem[] = [];
  #count = 0;
  readonly #once = new Set<string>();
  readonly #most: number;
  /** The places of `kept` by message; null: each place is a problem. */
  readonly #places: Map<string, number> | null;

  /** @param mergesEqual keeps a message once, with the places at which it repeats */
  constructor(most = 1_000, { mergesEqual = false } = {}) {
    this.#most = most;
    this.#places = mergesEqual ? new Map() : null;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a problem of a whole file, unless it has been added. */
  addOnce(place: Place, message: string): void {
    const one = `${place.file}: ${message}`;
    if (this.#once.has(one)) return;
    this.#once.add(one);
    this.add(place, message);
  }

  add(place: Place | string, message: string): void {
    this.#count += 1;
    const at = typeof place === 'string' ? place : `${place.file}:${place.line}`;
    const index = this.#places?.get(message);
    const known = index === undefined ? undefined : this.kept[index];
    if (index !== undefined && known !== undefined) {
      const { count = 1, alsoAt = [] } = known;
      const places = alsoAt.length < mostPlaces ? [...alsoAt, at] : alsoAt;
      this.kept[index] = { ...known, count: count + 1, alsoAt: places };
    } else if (this.kept.length < this.#most) {
      this.#places?.set(message, this.kept.length);
      this.kept.push({ at, message });
    }
  }
}
