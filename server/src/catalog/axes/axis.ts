import { ApiError, invalidField } from '../../errors/api-error.ts';
import { FieldProblems } from '../catalog-requests.ts';

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
/** The most values of an axis, and of all axes of a brand [catalog-130]. */
export const maxAxisValues = 20_000;
export const maxLibraryValues = 50_000;

/** The axes of a brand, or the values of an axis, before another is created. */
export interface EntriesBefore {
  /** One has the code or the value of the new one. */
  readonly isTaken: boolean;
  /** The largest position; -1 if there are none. */
  readonly lastPosition: number;
}

/** The number of values before others are added. The catalog lock keeps it as it is until the commit. */
interface ValuesBefore {
  readonly libraryValues: number;
}

/**
 * @throws ApiError `validation_failed` for a value that is given twice [catalog-31] and for more than the library may have
 * [catalog-130], `duplicate_axis_code`
 */
export function newAxis(given: NewAxis, before: EntriesBefore & ValuesBefore, stamp: () => Date): Axis {
  refuseRepeatedValues(given.values);
  if (before.isTaken) throw new ApiError('duplicate_axis_code');
  requireRoomInLibrary('values', given.values.length, before);
  const stampedAt = stamp();
  const values: AxisValue[] = [];
  let lastPosition = -1;
  for (const value of given.values) {
    const made = madeAxisValue(value, lastPosition, stampedAt);
    lastPosition = Math.max(lastPosition, made.position);
    values.push(made);
  }
  return {
    code: given.code,
    ...newFields(given, before.lastPosition, stampedAt),
    values: values.sort(inOrder),
  };
}

/**
 * Returns a value that is added to an axis. One that the axis has needs no room: a retry gets the 409.
 * @throws ApiError `duplicate_axis_value` [catalog-32], `validation_failed` for more than may be [catalog-130]
 */
export function addedAxisValue(
  given: NewAxisValue,
  before: EntriesBefore & ValuesBefore & { readonly axisValues: number },
  stamp: () => Date,
): AxisValue {
  if (before.isTaken) throw new ApiError('duplicate_axis_value');
  if (before.axisValues >= maxAxisValues)
    throw invalidField(
      'value',
      `must not be added: an axis has at most ${maxAxisValues} values, and this one has ${before.axisValues}`,
    );
  requireRoomInLibrary('value', 1, before);
  return madeAxisValue(given, before.lastPosition, stamp());
}

function requireRoomInLibrary(field: string, added: number, { libraryValues }: ValuesBefore): void {
  if (added === 0 || libraryValues + added <= maxLibraryValues) return;
  const what = added === 1 ? 'must not be added' : `must not be added, all ${added}`;
  throw invalidField(
    field,
    `${what}: a brand has at most ${maxLibraryValues} values in all axes, and this one has ${libraryValues}`,
  );
}

function madeAxisValue(given: NewAxisValue, lastPosition: number, stampedAt: Date): AxisValue {
  return { value: given.value, ...newFields(given, lastPosition, stampedAt) };
}

/** The next free position is the largest so far plus one, up to the largest possible one [catalog-28] [D22]. */
function newFields(
  { label, position }: Pick<NewAxis, 'label' | 'position'>,
  lastPosition: number,
  stampedAt: Date,
) {
  const next = Math.min(lastPosition + 1, maxPosition);
  return {
    label,
    position: position ?? next,
    isActive: true,
    createdAt: stampedAt,
    updatedAt: stampedAt,
  };
}

/** Reports a repeated value at its second occurrence [catalog-31]. */
function refuseRepeatedValues(values: readonly NewAxisValue[]): void {
  const problems = new FieldProblems();
  const seen = new Set<string>();
  for (const [index, { value }] of values.entries()) {
    if (seen.has(value)) problems.add(`values.${index}.value`, 'is a duplicate');
    seen.add(value);
  }
  problems.throwIfAny();
}

/** The order of an axis's values. They are ASCII, so the order of code units is that of the database. */
function inOrder(a: AxisValue, b: AxisValue): number {
  return a.position - b.position || (a.value < b.value ? -1 : 1);
}

/**
 * Returns the entry with the given fields, and `updatedAt` moved, never backwards; the same object if they are its current
 * values [D8].
 */
export function changedEntry<T extends AxisFields & { readonly updatedAt: Date }>(
  present: T,
  changes: Partial<AxisFields>,
  now: Date,
): T {
  const isSame = Object.entries(changes).every(
    ([field, value]) => present[field as keyof AxisFields] === value,
  );
  return isSame
    ? present
    : { ...present, ...changes, updatedAt: present.updatedAt > now ? present.updatedAt : now };
}
