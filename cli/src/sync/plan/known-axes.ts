import type { WantedSelection } from '../wanted/wanted.ts';

/** The axes and values that products may select once the library is written. */
export class KnownAxes {
  readonly #values = new Map<string, Set<string>>();

  add(code: string, value: string | null): void {
    const values = this.#values.get(code) ?? new Set();
    if (value !== null) values.add(value);
    this.#values.set(code, values);
  }

  /** Returns the problem of a selection with an axis or value that nothing creates; null if all are known. */
  unknown(selection: WantedSelection): string | null {
    for (const { code, values } of selection) {
      const known = this.#values.get(code);
      if (known === undefined) return `the axis "${code}" is neither stored nor in the input`;
      const value = values.find((one) => !known.has(one));
      if (value !== undefined)
        return `the value "${value}" of the axis "${code}" is neither stored nor in the input`;
    }
    return null;
  }
}
