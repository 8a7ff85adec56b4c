import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Brand, BrandSettings } from './brand.ts';

export interface BrandRow {
  readonly id: number;
  readonly name: string;
  readonly currency: string;
  readonly defaultLanguage: string;
  readonly lowStockThreshold: number;
  readonly staleAfterHours: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const brandColumns = `id, name, currency, default_language as "defaultLanguage",
  low_stock_threshold as "lowStockThreshold", stale_after_hours as "staleAfterHours", created_at as "createdAt",
  updated_at as "updatedAt"`;

export function brandFromRow(row: BrandRow): Brand {
  const { id, name, currency, defaultLanguage, lowStockThreshold, staleAfterHours, createdAt, updatedAt } =
    row;
  const settings = { currency, defaultLanguage, lowStockThreshold, staleAfterHours };
  return { id, name, settings, createdAt, updatedAt };
}

/** Inserts a brand, with the rows that writes of its catalog and its stock lock [D217]. */
export async function insertBrand(tx: Transaction, name: string, settings: BrandSettings): Promise<Brand> {
  const rows = await tx.run(
    statement<BrandRow>(
      'insert_brand',
      `with moment as (select now_ms() as now), brand as (
         insert into brands (name, currency, default_language, low_stock_threshold, stale_after_hours,
           created_at, updated_at)
         select $1, $2, $3, $4, $5, now, now from moment
         returning id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at
       ), catalog as (
         insert into brand_catalogs (brand_id, version, changed_at) select id, 0, created_at from brand
       ), stock as (
         insert into brand_stocks (brand_id, version, changed_at) select id, 0, created_at from brand
       )
       select ${brandColumns} from brand`,
      [name, ...settingsValues(settings)],
    ),
  );
  return brandFromRow(rows[0] as BrandRow);
}

export async function findBrand(database: Queryable, id: number): Promise<Brand | null> {
  const rows = await database.run(
    statement<BrandRow>('find_brand', `select ${brandColumns} from brands where id = $1`, [id]),
  );
  return rows[0] === undefined ? null : brandFromRow(rows[0]);
}

/** Locks a brand against changes; "no key" allows inserts that refer to it in the meantime. */
export async function lockBrand(tx: Transaction, id: number): Promise<Brand | null> {
  const rows = await tx.run(
    statement<BrandRow>('lock_brand', `select ${brandColumns} from brands where id = $1 for no key update`, [
      id,
    ]),
  );
  return rows[0] === undefined ? null : brandFromRow(rows[0]);
}

/** Writes the name and settings of a locked brand. Its `updated_at` never moves backwards. */
export async function updateBrandRow(tx: Transaction, { id, name, settings }: Brand): Promise<Brand> {
  const rows = await tx.run(
    statement<BrandRow>(
      'update_brand',
      `update brands
       set name = $2, currency = $3, default_language = $4, low_stock_threshold = $5, stale_after_hours = $6,
         updated_at = greatest(updated_at, now_ms())
       where id = $1
       returning ${brandColumns}`,
      [id, name, ...settingsValues(settings)],
    ),
  );
  return brandFromRow(rows[0] as BrandRow);
}

function settingsValues(settings: BrandSettings): unknown[] {
  return [settings.currency, settings.defaultLanguage, settings.lowStockThreshold, settings.staleAfterHours];
}

export async function hasBrands(database: Queryable): Promise<boolean> {
  const rows = await database.run(
    statement<{ found: boolean }>('has_brands', 'select exists (select 1 from brands) as found'),
  );
  return rows[0]?.found === true;
}

export async function findBrandNames(
  database: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.run(
    statement<{ id: number; name: string }>(
      'find_brand_names',
      'select id, name from brands where id = any($1::integer[])',
      [ids],
    ),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** All brands, oldest first. */
export async function listBrandIds(database: Queryable): Promise<number[]> {
  const rows = await database.run(
    statement<{ id: number }>('list_brand_ids', 'select id from brands order by id'),
  );
  return rows.map(({ id }) => id);
}
