import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';

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

/** The default location of a brand that has none yet. */
export function defaultLocation(
  { brandId, now }: { readonly brandId: number; readonly now: Date },
  id: number,
): Location {
  const times = { createdAt: now, updatedAt: now };
  const externalCode = defaultLocationCode;
  return { brandId, id, externalCode, name: 'Default', isActive: true, pointOfSaleTuId: null, ...times };
}

interface LocationCreation {
  readonly brandId: number;
  readonly externalCode: string;
  readonly fields: Partial<LocationFields>;
}

/** @throws ApiError `validation_failed` for the reserved code, `conflict` for one that the brand has [catalog-69] [catalog-70] */
export function newLocation(
  { brandId, externalCode, fields }: LocationCreation,
  { id, isTaken, now }: { readonly id: number; readonly isTaken: boolean; readonly now: Date },
): Location {
  if (externalCode === defaultLocationCode)
    throw invalidField(
      'external_code',
      'is reserved: Brandport creates this location when it is first needed',
    );
  if (isTaken)
    throw new ApiError('conflict', { message: 'A stock location with this external_code already exists.' });
  const { name = externalCode, isActive = true } = fields;
  const times = { createdAt: now, updatedAt: now };
  return { brandId, id, externalCode, name, isActive, pointOfSaleTuId: null, ...times };
}

/**
 * Returns the location with the given fields, and `updatedAt` moved, never backwards; the same object if they are its current
 * values [D8].
 * @throws ApiError `not_found`, also for the default location [catalog-70]
 */
export function changedLocation(
  location: Location | null,
  changes: Partial<LocationFields>,
  now: Date,
): Location {
  if (location === null || location.externalCode === defaultLocationCode) throw notFound();
  const { name = location.name, isActive = location.isActive } = changes;
  if (name === location.name && isActive === location.isActive) return location;
  return { ...location, name, isActive, updatedAt: location.updatedAt > now ? location.updatedAt : now };
}
