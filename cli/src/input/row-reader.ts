import { nearestName } from '../nearest-name.ts';
import type { InputRow } from './input-rows.ts';
import type { Problems } from './problems.ts';

/** Reads the values of a row by name and type. A value of another type is a problem, and reads as undefined. */
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

  refuse(message: string): undefined {
    this.#isFine = false;
    this.#problems.add(this.row, message);
    return undefined;
  }

  /** Returns any value, without a check. */
  raw(name: string): unknown {
    return this.row.values[name];
  }

  /** Returns a string of 1 to `max` characters, without the white space around it. */
  text(name: string, max: number): string | undefined {
    const given = this.raw(name);
    if (given === undefined) return undefined;
    if (typeof given !== 'string') return this.refuse(`${name} is not a string`);
    const value = given.trim();
    if (value === '') return this.refuse(`${name} is empty`);
    if ([...value].length > max) return this.refuse(`${name} has more than ${max} characters`);
    return value;
  }

  /** Returns a string, or null where JSON has null. */
  clearable(name: string, max: number): string | null | undefined {
    return this.row.values[name] === null ? (this.raw(name) as null) : this.text(name, max);
  }

  required(name: string, max: number): string | undefined {
    return this.has(name) ? this.text(name, max) : this.refuse(`${name} is missing`);
  }

  /** Returns a number from 0 with at most 4 decimal places. */
  price(name: string): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || !/^\d{1,12}(\.\d{1,4})?$/.test(text))
      return this.refuse(`${name} "${String(value)}" is not a number such as 19.5`);
    return Number(text);
  }

  /** Returns an integer from 0 to 2,147,483,647. */
  integer(name: string): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
    if (!Number.isInteger(number) || (number as number) < 0 || (number as number) > 2_147_483_647)
      return this.refuse(`${name} "${String(value)}" is not an integer from 0 to 2147483647`);
    return number as number;
  }

  boolean(name: string): boolean | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'boolean') return value;
    const text = String(value).toLowerCase();
    if (['true', 'yes', '1'].includes(text)) return true;
    if (['false', 'no', '0'].includes(text)) return false;
    return this.refuse(`${name} "${String(value)}" is neither true nor false`);
  }

  /** Returns an instant with an offset, as ISO 8601, at most 24 hours ahead: the service refuses a later one. */
  instant(name: string): string | undefined {
    const value = this.text(name, 40);
    if (value === undefined) return undefined;
    const at = Date.parse(value);
    if (Number.isNaN(at) || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(value))
      return this.refuse(
        `${name} "${value}" is not a date-time with an offset, such as 2026-03-01T08:30:00Z`,
      );
    if (at > Date.now() + 86_400_000)
      return this.refuse(`${name} ${value} is in the future: it would block later quantities`);
    return value;
  }

  /** Reports the names that are not columns of the row: they are probably misspelt. */
  refuseUnknown(columns: readonly string[], ignored: ReadonlySet<string>): void {
    for (const name of this.names)
      if (!isColumn(name, columns) && !ignored.has(name))
        this.refuse(`the column "${name}" is not known${hint(name, columns)}`);
  }
}

function hint(name: string, columns: readonly string[]): string {
  const known = columns.toSorted((a, b) => a.length - b.length);
  const meant = known.find((one) => one.startsWith(`${name}_`)) ?? nearestName(name, known);
  return meant === null ? '; --ignore leaves it alone' : `; did you mean "${meant}"?`;
}

/** Returns whether a name is that of a column, or of its family, as `axis:color` is of `axis:<code>`. */
function isColumn(name: string, known: readonly string[]): boolean {
  return known.some((one) => {
    const family = one.endsWith('>') ? one.slice(0, one.indexOf('<')) : null;
    return family === null ? name === one : name.startsWith(family) && name !== family;
  });
}
