import type { Page } from '../../api/pagination.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { Conditions, foldedSql, readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Brand } from '../brand.ts';
import { type BrandRow, brandColumns, brandFromRow } from '../brand-store.ts';

export interface BrandFilter {
  /** A part of the name, in upper or lower case. */
  readonly search?: string | undefined;
  /** null: all. */
  readonly brandIds: readonly number[] | null;
}

/** Lists one page of the brands that match by id, and counts all. A search reads all brands. */
export async function listBrands(
  database: Database,
  { search, brandIds }: BrandFilter,
  page: Page,
): Promise<{ brands: Brand[]; total: number }> {
  const where = new Conditions([], []);
  where.add(
    '_by_name',
    (parameter) => `strpos(${foldedSql('name')}, ${foldedSql(`${parameter}::text`)}) > 0`,
    search,
  );
  where.addBrands('id', brandIds);
  const list = { name: `brands${where.code}`, columns: brandColumns, from: 'brands', where, orderBy: 'id' };
  const { rows, total } = await readPage<BrandRow>(database, list, page);
  return { brands: rows.map(brandFromRow), total };
}

export async function hasBrands(database: Queryable): Promise<boolean> {
  const rows = await database.run(
    statement<{ found: boolean }>('has_brands', 'select exists (select 1 from brands) as found'),
  );
  return rows[0]?.found === true;
}
