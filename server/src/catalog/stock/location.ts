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

export interface LocationFields {
  readonly name: string;
  /** True if stock here counts as available. */
  readonly isActive: boolean;
}

/** The location of adjustments that name none; created on first use, and clients cannot change it [catalog-70] [catalog-89]. */
export const defaultLocationCode = '__default__';

export function defaultLocation(
  { brandId, now }: { readonly brandId: number; readonly now: Date },
  id: number,
): Location {
  const fields = { externalCode: defaultLocationCode, name: 'Default', isActive: true };
  return { brandId, id, ...fields, pointOfSaleTuId: null, createdAt: now, updatedAt: now };
}
