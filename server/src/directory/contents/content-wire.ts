import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { DirectoryTuId, itemsOf } from '../directory-wire.ts';
import type { ContentRow } from '../queries/content-list.ts';
import { type ContentItem, contentTypes } from './content.ts';

export const PutContentsBody = itemsOf(
  Type.Object({
    type: Type.Unsafe<ContentItem['type']>({ type: 'string', enum: [...contentTypes] }),
    tu_id: DirectoryTuId,
    name: Type.Optional(Text({ max: 255 })),
    is_live: Type.Optional(Type.Boolean({ description: 'Default for a new content: `true`.' })),
  }),
);

export function contentItemsFromWire({ items }: Static<typeof PutContentsBody>): ContentItem[] {
  return items.map(({ type, tu_id, name, is_live }) => ({
    type,
    tuId: tu_id,
    ...(name !== undefined && { name }),
    ...(is_live !== undefined && { isLive: is_live }),
  }));
}

export const ContentWire = Type.Object({
  type: Type.String(),
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  is_live: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export function contentToWire(row: ContentRow): Static<typeof ContentWire> {
  const { type, tu_id, name, is_live, created_at, updated_at } = row;
  return {
    type,
    tu_id,
    name,
    is_live,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
