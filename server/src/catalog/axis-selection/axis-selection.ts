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

/** An axis of the library, restricted to the values that a request names: by value, in the library's order. */
export interface LibraryAxis extends Omit<SelectedAxis, 'position' | 'values'> {
  readonly values: ReadonlyMap<string, SelectedValue>;
}

/** Compares the order of axes too. */
export function isSameSelection(chosen: AxisSelection, current: AxisSelection): boolean {
  return (
    chosen.length === current.length &&
    chosen.every(({ id, values }, index) => {
      const axis = current[index];
      if (axis?.id !== id || axis.values.length !== values.length) return false;
      const present = new Set(axis.values.map((selected) => selected.id));
      return values.every((selected) => present.has(selected.id));
    })
  );
}
