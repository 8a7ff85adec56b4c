/** Folds the case of a string for comparisons: ICU knows all alphabets, regardless of the locale of the database. */
export function foldedSql(text: string): string {
  return `lower(${text} collate "und-x-icu")`;
}

/** Optional conditions. Each combination is a separate statement, named by its `code`, so that PostgreSQL plans each. */
export class Conditions {
  readonly values: unknown[];
  readonly #conditions: string[];
  #code = '';

  /** `always`: conditions that every combination has, with their values from `$1` on. */
  constructor(always: readonly string[], values: readonly unknown[]) {
    this.#conditions = [...always];
    this.values = [...values];
  }

  get code(): string {
    return this.#code;
  }

  /** All conditions, connected by `and`; empty when there are none. */
  get sql(): string {
    return this.#conditions.join(' and ');
  }

  /** Adds a condition on `value` and returns its parameter; does nothing and returns null when `value` is undefined. */
  add(code: string, condition: (parameter: string) => string, value: unknown): string | null {
    if (value === undefined) return null;
    const parameter = this.parameter(value);
    this.#conditions.push(condition(parameter));
    this.#code += code;
    return parameter;
  }

  /** Narrows the rows to some brands; null: all. Returns the parameter, or null. */
  addBrands(column: string, brandIds: readonly number[] | null): string | null {
    return this.add(
      '_of_brands',
      (parameter) => `${column} = any(${parameter}::integer[])`,
      brandIds ?? undefined,
    );
  }

  addFixed(code: string, condition: string): void {
    this.#conditions.push(condition);
    this.#code += code;
  }

  /** Adds a value that belongs to no condition, and returns its parameter. */
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
