import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { DirectoryTuId, itemsOf } from '../directory-wire.ts';
import type { NamedItem } from '../named-item-store.ts';

export const PutMarketsBody = itemsOf(
  Type.Object({ tu_id: DirectoryTuId, name: Type.Optional(Text({ max: 255 })) }),
);

export function marketItemsFromWire({ items }: Static<typeof PutMarketsBody>): NamedItem[] {
  return items.map(({ tu_id: tuId, name }) => ({ tuId, name }));
}

export const MarketWire = Type.Object({
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
