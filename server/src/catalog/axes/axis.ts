import type { FieldProblems } from '../field-problems.ts';

/** What a client may change of an axis, and of a value of one; code and value never change. */
export interface AxisFields {
  readonly label: string | null;
  /** Lists are ordered by it; several may share one. */
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
  /** By position, then value. */
  readonly values: readonly AxisValue[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewAxisValue {
  readonly value: string;
  readonly label: string | null;
  /** null: the next free one. */
  readonly position: number | null;
}

export interface NewAxis {
  readonly code: string;
  readonly label: string | null;
  /** null: the next free one. */
  readonly position: number | null;
  readonly values: readonly NewAxisValue[];
}

/** The largest position: what the column holds. */
export const maxPosition = 2_147_483_647;

/**
 * Gives the values of a new axis their positions: the next free one is the one after the largest so far, from 0 on
 * [catalog-28] [D21]. Past the largest possible position it stays there; the order then goes by value.
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

/** A value that is given twice is refused where it stands the second time [catalog-31]. */
export function checkRepeatedValues(values: readonly NewAxisValue[], problems: FieldProblems): void {
  const seen = new Set<string>();
  for (const [index, { value }] of values.entries()) {
    if (seen.has(value)) problems.add(`values.${index}.value`, 'is a duplicate');
    seen.add(value);
  }
}

/** Whether writing `changes` would leave the fields as they are. */
export function changesNoField(present: AxisFields, changes: Partial<AxisFields>): boolean {
  return Object.entries(changes).every(([field, value]) => present[field as keyof AxisFields] === value);
}
