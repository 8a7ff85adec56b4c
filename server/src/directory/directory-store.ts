import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { ContentItem, MarketItem } from './directory-wire.ts';

/**
 * Creates or renames any number of rows in two statements. Rows are locked in the order of their ids, so that two concurrent
 * upserts do not deadlock.
 */
export async function upsertNamedItems(
  tx: Transaction,
  table: 'markets' | 'points_of_sale',
  brandId: number,
  items: readonly MarketItem[],
): Promise<void> {
  const values = [brandId, items.map(({ tu_id }) => tu_id), items.map(({ name }) => name ?? null)];
  await tx.run(
    statement<never>(
      `insert_${table}`,
      `insert into ${table} (brand_id, tu_id, name)
       select $1, i.tu_id, i.name from unnest($2::text[], $3::text[]) as i (tu_id, name)
       order by i.tu_id collate "C"
       on conflict (brand_id, tu_id) do nothing`,
      values,
    ),
  );
  await tx.run(
    statement<never>(
      `rename_${table}`,
      `update ${table} t
       set name = i.name, updated_at = now_ms()
       from unnest($2::text[], $3::text[]) as i (tu_id, name)
       where t.brand_id = $1 and t.tu_id = i.tu_id and i.name is not null and t.name is distinct from i.name`,
      values,
    ),
  );
}

/** Deletes a market; its learners then have none. Returns whether it existed. */
export async function deleteMarket(tx: Transaction, brandId: number, tuId: string): Promise<boolean> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'lock_market',
      'select id from markets where brand_id = $1 and tu_id = $2 for update',
      [brandId, tuId],
    ),
  );
  const market = rows[0];
  if (market === undefined) return false;
  const values = [brandId, market.id];
  await tx.run(
    statement<never>(
      'clear_learners_market',
      'update learners set market_id = null where brand_id = $1 and market_id = $2',
      values,
    ),
  );
  await tx.run(
    statement<never>('delete_market', 'delete from markets where brand_id = $1 and id = $2', values),
  );
  return true;
}

/** Returns those of the codes that are no location of the brand. */
export async function findUnknownLocations(
  tx: Transaction,
  brandId: number,
  codes: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.run(
    statement<{ code: string }>(
      'find_unknown_locations',
      `select c.code from unnest($2::text[]) as c (code)
       where not exists (
         select 1 from stock_locations o where o.brand_id = $1 and o.external_code = c.code
       )`,
      [brandId, codes],
    ),
  );
  return new Set(rows.map(({ code }) => code));
}

/** A null code removes the assignment. A location has at most one point of sale: a new one replaces the previous one. */
export async function attachPointsOfSale(
  tx: Transaction,
  brandId: number,
  attachments: readonly { readonly tuId: string; readonly location: string | null }[],
): Promise<void> {
  const tuIds = attachments.map(({ tuId }) => tuId);
  const codes = attachments.map(({ location }) => location);
  await tx.run(
    statement<never>(
      'detach_points_of_sale',
      `update points_of_sale p
       set location_id = null
       where p.brand_id = $1 and p.location_id is not null
         and (p.tu_id = any($2::text[]) or p.location_id in (
           select o.id from stock_locations o where o.brand_id = $1 and o.external_code = any($3::text[])
         ))`,
      [brandId, tuIds, codes],
    ),
  );
  await tx.run(
    statement<never>(
      'attach_points_of_sale',
      `update points_of_sale p
       set location_id = o.id, updated_at = now_ms()
       from unnest($2::text[], $3::text[]) as i (tu_id, code)
       join stock_locations o on o.brand_id = $1 and o.external_code = i.code
       where p.brand_id = $1 and p.tu_id = i.tu_id`,
      [brandId, tuIds, codes],
    ),
  );
}

/** Returns whether it existed. */
export async function deletePointOfSale(tx: Transaction, brandId: number, tuId: string): Promise<boolean> {
  const rows = await tx.run(
    statement<{ tu_id: string }>(
      'delete_point_of_sale',
      'delete from points_of_sale where brand_id = $1 and tu_id = $2 returning tu_id',
      [brandId, tuId],
    ),
  );
  return rows.length === 1;
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
    items.map(({ tu_id }) => tu_id),
    items.map(({ name }) => name ?? null),
    items.map(({ is_live }) => is_live ?? null),
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

/** Every list is in the order of `tu_id`, which has a unique index. */
export const marketRows = {
  rows: {
    name: 'markets',
    columns: 'm.tu_id as "tuId", m.name, m.created_at as "createdAt", m.updated_at as "updatedAt"',
    from: 'markets m',
    orderBy: 'm.tu_id',
  },
  where: 'm.brand_id = $1',
};

export const pointOfSaleRows = {
  rows: {
    name: 'points_of_sale',
    columns: `p.tu_id as "tuId", p.name, o.external_code as location, p.created_at as "createdAt",
      p.updated_at as "updatedAt"`,
    from: 'points_of_sale p left join stock_locations o on o.brand_id = p.brand_id and o.id = p.location_id',
    orderBy: 'p.tu_id',
  },
  where: 'p.brand_id = $1',
};

export const contentRows = {
  rows: {
    name: 'contents',
    columns: `c.type, c.tu_id as "tuId", c.name, c.is_live as "isLive", c.created_at as "createdAt",
      c.updated_at as "updatedAt"`,
    from: 'contents c',
    orderBy: 'c.type, c.tu_id',
  },
  where: 'c.brand_id = $1 and c.is_listed',
};
