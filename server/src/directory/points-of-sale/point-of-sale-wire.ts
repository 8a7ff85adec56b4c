import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { DirectoryTuId, itemsOf } from '../directory-wire.ts';
import type { PointOfSaleItem } from './point-of-sale-store.ts';

export const PutPointsOfSaleBody = itemsOf(
  Type.Object({
    tu_id: DirectoryTuId,
    name: Type.Optional(Text({ max: 255 })),
    location: Type.Optional(
      Nullable(Text({ max: 64 }), {
        description: '`external_code` of the stock location to assign; null removes the assignment.',
      }),
    ),
  }),
);

export function pointOfSaleItemsFromWire({ items }: Static<typeof PutPointsOfSaleBody>): PointOfSaleItem[] {
  return items.map(({ tu_id: tuId, name, location }) => ({ tuId, name, location }));
}

export const PointOfSaleWire = Type.Object({
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  location: Nullable(Type.String({ description: '`external_code` of the assigned stock location.' })),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
