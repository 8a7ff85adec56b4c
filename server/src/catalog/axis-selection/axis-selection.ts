/** A value of an axis that a product selects, with the library's fields. */
export interface SelectedValue {
  readonly id: number;
  readonly value: string;
  readonly label: string | null;
  /** The position in the library. */
  readonly position: number;
  readonly isActive: boolean;
}

/** An axis that is attached to a product, with the values that the product selects: at least one. */
export interface SelectedAxis {
  readonly id: number;
  readonly code: string;
  readonly label: string | null;
  /** The position among the axes of the product, starting at 0. */
  readonly position: number;
  readonly isActive: boolean;
  /** Sorted by the library's position, then value [catalog-41]. */
  readonly values: readonly SelectedValue[];
}

/** The effective axes of a product in the product's order; empty when none is attached. */
export type AxisSelection = readonly SelectedAxis[];

/** An axis of the library, restricted to what a request names. */
export interface LibraryAxis {
  readonly id: number;
  readonly code: string;
  readonly isActive: boolean;
  /** The values that the request names, by value. */
  readonly values: ReadonlyMap<string, LibraryValue>;
}

export interface LibraryValue {
  readonly id: number;
  readonly isActive: boolean;
}

/** An axis and its values in the new selection of a product. */
export interface ChosenAxis {
  readonly axisId: number;
  /** Unordered and distinct. */
  readonly valueIds: readonly number[];
}

/** Returns whether the choice equals the current selection of the product, order of axes included. */
export function isSameSelection(chosen: readonly ChosenAxis[], current: AxisSelection): boolean {
  return (
    chosen.length === current.length &&
    chosen.every(({ axisId, valueIds }, index) => {
      const axis = current[index];
      if (axis?.id !== axisId || axis.values.length !== valueIds.length) return false;
      const present = new Set(axis.values.map(({ id }) => id));
      return valueIds.every((id) => present.has(id));
    })
  );
}
