import { type Static, Type } from 'typebox';
import { Nullable, Prohibited, Text, Timestamp } from '../../api/field-schemas.ts';
import type { Location, LocationFields } from '../stock/location.ts';

const codePattern = '^[A-Za-z0-9._~-]+$';

/** External code of a location [catalog-67]. */
const ExternalCode = (description: string, format?: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: codePattern,
    ...(format !== undefined && { format }),
    description,
    examples: ['WH-BERLIN'],
  });

export const LocationParams = Type.Object({
  externalCode: ExternalCode('The location’s `external_code`.'),
});

const name = Text({ max: 255, description: 'Display name.', examples: ['Warehouse Berlin'] });
const isActive = Type.Boolean({ description: 'Stock at an inactive location is not available.' });
const pointOfSale = Prohibited('an administrator assigns points of sale.');

export const CreateStockLocationBody = Type.Object({
  external_code: ExternalCode(
    'Unique in the brand and immutable. Case-sensitive. Not `.` or `..`.',
    'path-segment',
  ),
  name: Type.Optional({ ...name, description: 'Default: the `external_code`.' }),
  is_active: Type.Optional({ ...isActive, default: true }),
  pointofsale_tu_id: pointOfSale,
});

export const UpdateStockLocationBody = Type.Object({
  external_code: Prohibited('the code of a location cannot be changed.'),
  name: Type.Optional(name),
  is_active: Type.Optional(isActive),
  pointofsale_tu_id: pointOfSale,
});

/** A location as the endpoints return it [catalog-68]. */
export const LocationWire = Type.Object({
  external_code: Type.String(),
  name: Type.String(),
  is_active: Type.Boolean(),
  pointofsale_tu_id: Nullable(Type.String(), { description: 'The point of sale assigned to the location.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

/** Absent fields stay absent. */
export function locationFieldsFromWire(
  body: Pick<Static<typeof UpdateStockLocationBody>, 'name' | 'is_active'>,
): Partial<LocationFields> {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.is_active !== undefined && { isActive: body.is_active }),
  };
}

export function locationToWire(location: Location): Static<typeof LocationWire> {
  return {
    external_code: location.externalCode,
    name: location.name,
    is_active: location.isActive,
    pointofsale_tu_id: location.pointOfSaleTuId,
    created_at: location.createdAt.toISOString(),
    updated_at: location.updatedAt.toISOString(),
  };
}
