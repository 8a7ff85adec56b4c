/** A value that a product selects of an axis, with the library's fields. */
export interface SelectedValue {
  readonly id: number;
  readonly value: string;
  readonly label: string | null;
  /** The library's. */
  readonly position: number;
  readonly isActive: boolean;
}

/** An axis that is attached to a product, with the values that the product selects: never none. */
export interface SelectedAxis {
  readonly id: number;
  readonly code: string;
  readonly label: string | null;
  /** The product's own order of its axes, from 0 on. */
  readonly position: number;
  readonly isActive: boolean;
  /** By the library's position, then value [catalog-41]. */
  readonly values: readonly SelectedValue[];
}

/** The effective axes of a product in the product's order; empty when nothing is attached. */
export type AxisSelection = readonly SelectedAxis[];

/** An axis of the library, as far as a request names it. */
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

/** An axis and its values as a product is to have them from now on. */
export interface ChosenAxis {
  readonly axisId: number;
  /** In no particular order; none twice. */
  readonly valueIds: readonly number[];
}

/** Whether the choice is what the product has already, order of axes included. */
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
