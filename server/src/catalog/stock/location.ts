/** A place where stock is kept. */
export interface Location extends LocationFields {
  readonly brandId: number;
  readonly id: number;
  /** Unique in the brand; never changes. */
  readonly externalCode: string;
  /** The point of sale that the directory attaches to it. */
  readonly pointOfSaleTuId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a location that a client may change. */
export interface LocationFields {
  readonly name: string;
  /** True if stock here counts as available. */
  readonly isActive: boolean;
}

/**
 * The location of an adjustment that names none. Each brand has its own, created on first use; clients cannot create or
 * change it [catalog-70] [catalog-89].
 */
export const defaultLocationCode = '__default__';

/** Returns the new default location of a brand. */
export function defaultLocation(
  { brandId, now }: { readonly brandId: number; readonly now: Date },
  id: number,
): Location {
  const fields = { externalCode: defaultLocationCode, name: 'Default', isActive: true };
  return { brandId, id, ...fields, pointOfSaleTuId: null, createdAt: now, updatedAt: now };
}
