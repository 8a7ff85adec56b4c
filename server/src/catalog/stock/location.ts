/** A place where stock is kept. */
export interface Location extends LocationFields {
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
export const defaultLocationName = 'Default';

/** Returns whether applying `changes` would leave the location as it is. */
export function changesNothing(location: Location, { name, isActive }: Partial<LocationFields>): boolean {
  return (
    (name === undefined || name === location.name) &&
    (isActive === undefined || isActive === location.isActive)
  );
}
