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

/** What a client may change. */
export interface LocationFields {
  readonly name: string;
  /** Whether stock here counts as available. */
  readonly isActive: boolean;
}

/**
 * Where an adjustment goes that names no location. Each brand has one of its own, made when it is first needed; clients
 * cannot create or change it [catalog-70] [catalog-89].
 */
export const defaultLocationCode = '__default__';
export const defaultLocationName = 'Default';

/** Whether applying `changes` to the location would leave it as it is. */
export function changesNothing(location: Location, { name, isActive }: Partial<LocationFields>): boolean {
  return (
    (name === undefined || name === location.name) &&
    (isActive === undefined || isActive === location.isActive)
  );
}
