import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { DirectoryTuId, itemsOf } from '../directory-wire.ts';
import { type ContentItem, contentTypes } from './content-store.ts';

export const PutContentsBody = itemsOf(
  Type.Object({
    type: Type.Unsafe<ContentItem['type']>({ type: 'string', enum: [...contentTypes] }),
    tu_id: DirectoryTuId,
    name: Type.Optional(Text({ max: 255 })),
    is_live: Type.Optional(Type.Boolean({ description: 'Default for a new content: `true`.' })),
  }),
);

export function contentItemsFromWire({ items }: Static<typeof PutContentsBody>): ContentItem[] {
  return items.map(({ type, tu_id: tuId, name, is_live: isLive }) => ({ type, tuId, name, isLive }));
}

export const ContentWire = Type.Object({
  type: Type.String(),
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  is_live: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
