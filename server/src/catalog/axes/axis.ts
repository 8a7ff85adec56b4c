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

export interface NewAxis extends Omit<NewAxisValue, 'value'> {
  readonly code: string;
  readonly values: readonly NewAxisValue[];
}

export const maxPosition = 2_147_483_647;
