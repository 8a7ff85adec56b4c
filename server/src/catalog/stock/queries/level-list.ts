import { fixedLimit, isLongPage, type Page, skipRows } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { type JsonRowsValue, jsonRows } from '../../../postgres/json-rows.ts';
import { Conditions } from '../../../postgres/read-page.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import { productListVersion } from '../../brand-catalog-store.ts';
import type { ChangePlace } from '../change-token.ts';
import type { StockLevel } from '../stock-level.ts';
import {
  addLevelFilter,
  type LevelFilter,
  levelColumns,
  levelFromRow,
  levelOwners,
  storedLevelColumns,
} from './level-rows.ts';

const levelRows = jsonRows(levelColumns);

interface Row {
  readonly version: string;
  /** null if the version is the known one. */
  readonly levels: JsonRowsValue | null;
  readonly stock_version: number;
  readonly stock_changed_at: Date;
}

interface LevelPage {
  readonly levels: StockLevel[];
  readonly total: number;
  readonly version: string;
  /** The place in the changes that is after all of the page's. */
  readonly place: ChangePlace;
}

/**
 * Returns one page by SKU and location, without levels of deleted variants; null if the version is `known`. Two statements in
 * turn: a total older than the version would be kept with it. `updated_since` has no index, because each write of a level would
 * pay for it.
 */
export async function listLevelsUnless(
  database: Queryable,
  brandId: number,
  {
    filter,
    page,
    known,
  }: { readonly filter: LevelFilter; readonly page: Page; readonly known: string | null },
): Promise<LevelPage | null> {
  const [row] = await database.run(selectPage(brandId, filter, page, known));
  if (row === undefined) throw new Error(`brand ${brandId} has no row in brand_stocks`);
  if (row.levels === null) return null;
  const totals = await database.run(countMatches(brandId, filter));
  return {
    levels: levelRows.read(row.levels).map(levelFromRow),
    total: totals[0]?.total ?? 0,
    version: row.version,
    place: {
      version: row.stock_version,
      changedAt: row.stock_changed_at.getTime(),
      done: null,
      afterLevel: null,
    },
  };
}

/**
 * A deferred join: the page is found in the order's index, then its own rows are read. A scan for changed levels is kept
 * separate from the order ("offset 0"): walking the index until it found fifty took 1,000 ms if few had changed.
 */
function selectPage(brandId: number, filter: LevelFilter, page: Page, known: string | null): Statement<Row> {
  const isScan = filter.updatedSince !== undefined && filter.sku === undefined;
  const where = conditionsOf(brandId, filter);
  const matches = `select f.brand_id, f.sku, f.location_code from stock_levels f where ${where.sql}`;
  const most = fixedLimit(page.size);
  const offset = page.offset === 0 ? '' : skipRows(where.parameter(page.offset));
  const size = where.parameter(page.size);
  const isChanged = `current.version is distinct from ${where.parameter(known)}`;
  return statement(
    `list_stock_levels/${where.code}/${most}${offset === '' ? '' : '/offset'}`,
    `select current.version,
       case when ${isChanged} then ${levelRows.aggregate(`
         select ${levelRows.columns}
         from (
           select few.brand_id, few.sku, few.location_code,
             row_number() over (order by few.sku, few.location_code) as n
           from (
             select m.brand_id, m.sku, m.location_code from (${matches} ${isScan ? 'offset 0' : ''}) as m
             order by m.sku, m.location_code
             limit ${most} ${offset}
           ) as few
           order by few.sku, few.location_code
           limit ${size}
         ) as page
         cross join lateral (
           select ${storedLevelColumns}
           from stock_levels l
           where l.brand_id = page.brand_id and l.sku = page.sku and l.location_code = page.location_code
             and not l.is_hidden
           offset 0
         ) as l
         ${levelOwners}
         order by page.n`)} end as levels,
       s.version as stock_version, s.changed_at as stock_changed_at
     from brands b
     join brand_stocks s on s.brand_id = b.id
     left join brand_catalogs c on c.brand_id = b.id
     cross join lateral (select ${productListVersion} as version offset 0) as current
     where b.id = $1`,
    where.values,
    { long: isScan || isLongPage(page.offset) },
  );
}

function countMatches(brandId: number, filter: LevelFilter): Statement<{ total: number }> {
  const where = conditionsOf(brandId, filter);
  return statement(
    `count_stock_levels/${where.code}`,
    `select count(*) as total from stock_levels f where ${where.sql}`,
    where.values,
    { long: filter.sku === undefined },
  );
}

function conditionsOf(brandId: number, filter: LevelFilter): Conditions {
  const where = new Conditions(['f.brand_id = $1', 'not f.is_hidden'], [brandId]);
  addLevelFilter(where, 'f', filter);
  return where;
}
