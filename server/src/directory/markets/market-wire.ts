import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { DirectoryTuId, itemsOf } from '../directory-wire.ts';
import type { MarketRow } from '../queries/market-list.ts';
import type { MarketItem } from './market.ts';

export const PutMarketsBody = itemsOf(
  Type.Object({ tu_id: DirectoryTuId, name: Type.Optional(Text({ max: 255 })) }),
);

export function marketItemsFromWire({ items }: Static<typeof PutMarketsBody>): MarketItem[] {
  return items.map(({ tu_id, name }) => ({ tuId: tu_id, ...(name !== undefined && { name }) }));
}

export const MarketWire = Type.Object({
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export function marketToWire({ tu_id, name, created_at, updated_at }: MarketRow): Static<typeof MarketWire> {
  return { tu_id, name, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}
