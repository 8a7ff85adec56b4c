import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** The content types that the directory lists; events may have further types. */
export const contentTypes = ['episode', 'program', 'quest'] as const;

type ContentType = (typeof contentTypes)[number];

/** An upsert of a content; absent fields are left unchanged. */
export interface ContentItem {
  readonly type: ContentType;
  readonly tuId: string;
  readonly name?: string | undefined;
  /** Default for a new content: true. */
  readonly isLive?: boolean | undefined;
}

/** Two statements for any number of items. A reference known only from events becomes a listed content with its id. */
export async function upsertContents(
  tx: Transaction,
  brandId: number,
  items: readonly ContentItem[],
): Promise<void> {
  const values = [
    brandId,
    items.map(({ type }) => type),
    items.map(({ tuId }) => tuId),
    items.map(({ name }) => name ?? null),
    items.map(({ isLive }) => isLive ?? null),
  ];
  await tx.run(
    statement<never>(
      'insert_contents',
      `insert into contents (brand_id, type, tu_id, name, is_live, is_listed)
       select $1, i.type, i.tu_id, i.name, coalesce(i.is_live, true), true
       from unnest($2::text[], $3::text[], $4::text[], $5::boolean[]) as i (type, tu_id, name, is_live)
       order by i.type collate "C", i.tu_id collate "C"
       on conflict (brand_id, type, tu_id) do nothing`,
      values,
    ),
  );
  // An unlisted content has no data to keep: its name is null and is_live takes its default.
  await tx.run(
    statement<never>(
      'change_contents',
      `update contents c
       set name = coalesce(i.name, c.name), is_live = coalesce(i.is_live, c.is_live or not c.is_listed),
           is_listed = true, updated_at = now_ms()
       from unnest($2::text[], $3::text[], $4::text[], $5::boolean[]) as i (type, tu_id, name, is_live)
       where c.brand_id = $1 and c.type = i.type and c.tu_id = i.tu_id
         and (not c.is_listed or c.name is distinct from coalesce(i.name, c.name)
           or c.is_live <> coalesce(i.is_live, c.is_live))`,
      values,
    ),
  );
}

/** Returns whether the content was listed. */
export async function unlistContent(
  tx: Transaction,
  brandId: number,
  type: string,
  tuId: string,
): Promise<boolean> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'unlist_content',
      `update contents
       set is_listed = false, name = null, is_live = false,
           updated_at = now_ms()
       where brand_id = $1 and type = $2 and tu_id = $3 and is_listed
       returning id`,
      [brandId, type, tuId],
    ),
  );
  return rows.length === 1;
}
