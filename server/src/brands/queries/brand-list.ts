import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Brand } from '../brand.ts';
import { type BrandRow, brandColumns, brandFromRow } from '../brand-store.ts';

export interface BrandFilter {
  /** A part of the name, in upper or lower case. */
  readonly search?: string;
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
  // ICU knows the cases of all alphabets, regardless of the locale of the database.
  const folded = (text: string) => `lower(${text} collate "und-x-icu")`;
  where.add(
    '_by_name',
    (parameter) => `strpos(${folded('name')}, ${folded(`${parameter}::text`)}) > 0`,
    search,
  );
  where.add('_by_id', (parameter) => `id = any(${parameter}::integer[])`, brandIds ?? undefined);
  const matches = `from brands ${where.sql === '' ? '' : `where ${where.sql}`}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const [rows, counts] = await Promise.all([
    database.run(
      statement<BrandRow>(
        `list_brands${where.code}`,
        `select ${brandColumns} ${matches} order by id ${limit}`,
        where.values,
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        `count_brands${where.code}`,
        `select count(*) as total ${matches}`,
        values,
        { long: true },
      ),
    ),
  ]);
  return { brands: rows.map(brandFromRow), total: counts[0]?.total ?? 0 };
}
