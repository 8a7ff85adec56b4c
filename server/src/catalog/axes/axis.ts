import type { FieldProblems } from '../field-problems.ts';

/** The fields of an axis or a value that a client may change. Code and value never change. */
export interface AxisFields {
  readonly label: string | null;
  /** The sort key of lists; several may share one. */
  readonly position: number;
  readonly isActive: boolean;
}

export interface AxisValue extends AxisFields {
  /** Unique on its axis. */
  readonly value: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An entry of the brand's axis library. */
export interface Axis extends AxisFields {
  /** Unique in the brand. */
  readonly code: string;
  /** Sorted by position, then value. */
  readonly values: readonly AxisValue[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewAxisValue {
  readonly value: string;
  readonly label: string | null;
  /** null: the next free position. */
  readonly position: number | null;
}

export interface NewAxis {
  readonly code: string;
  readonly label: string | null;
  /** null: the next free position. */
  readonly position: number | null;
  readonly values: readonly NewAxisValue[];
}

/** The largest position that the column can store. */
export const maxPosition = 2_147_483_647;

/**
 * Assigns positions to the values of a new axis: the next free position is the largest so far plus one, starting at 0
 * [catalog-28] [D21]. It stops at the largest possible position; values there are ordered by value.
 */
export function withPositions(
  values: readonly NewAxisValue[],
): (NewAxisValue & { readonly position: number })[] {
  let next = 0;
  return values.map((given) => {
    const position = given.position ?? next;
    next = Math.min(Math.max(next, position + 1), maxPosition);
    return { ...given, position };
  });
}

/** Reports a repeated value at its second occurrence [catalog-31]. */
export function checkRepeatedValues(values: readonly NewAxisValue[], problems: FieldProblems): void {
  const seen = new Set<string>();
  for (const [index, { value }] of values.entries()) {
    if (seen.has(value)) problems.add(`values.${index}.value`, 'is a duplicate');
    seen.add(value);
  }
}

/** Returns whether writing `changes` would leave the fields as they are. */
export function changesNoField(present: AxisFields, changes: Partial<AxisFields>): boolean {
  return Object.entries(changes).every(([field, value]) => present[field as keyof AxisFields] === value);
}
