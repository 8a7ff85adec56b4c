import { type Static, Type } from 'typebox';
import { ExactFilter, Instant } from '../../api/field-schemas.ts';
import { readOperation, type ServiceContext } from '../../api/operation.ts';
import {
  fixedLimit,
  isLongPage,
  type Page,
  pageMeta,
  pageOf,
  pageQuery,
  skipRows,
} from '../../api/pagination.ts';
import { unchanged } from '../../api/reply.ts';
import { invalidField } from '../../errors/api-error.ts';
import { parseSourceTime } from '../../lib/source-time.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type JsonRowsValue, jsonRows } from '../../postgres/json-rows.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import { findProductListVersion, productListVersion } from '../brand-catalog-store.ts';
import {
  type ChangePosition,
  listChangedLevels,
  positionOfToken,
  sealChangeToken,
  startToken,
} from './changed-levels-store.ts';
import type { StockLevel } from './stock-level.ts';
import {
  addLevelFilter,
  type LevelFilter,
  levelColumns,
  levelFromRow,
  levelOwners,
  storedLevelColumns,
} from './stock-level-store.ts';
import {
  changedAfterDescription,
  exampleToken,
  StockLevelListWire,
  stockLevelListExample,
  stockLevelToWire,
} from './stock-wire.ts';

const ListLevelsQuery = Type.Object({
  sku: ExactFilter({
    description: 'Exact SKU of a product or variant; case-sensitive.',
    examples: ['TEE-001-red-m'],
  }),
  location: ExactFilter({
    description: 'The `external_code` of a location; an unknown one matches nothing.',
    examples: ['WH-BERLIN'],
  }),
  updated_since: Type.Optional(
    Instant({
      description: '`source_updated_at` at or after this time.',
      examples: ['2026-03-01T08:30:00Z'],
    }),
  ),
  changed_after: Type.Optional(
    Type.String({ description: changedAfterDescription, examples: [startToken, exampleToken] }),
  ),
  ...pageQuery,
});

type Query = Static<typeof ListLevelsQuery>;
type Body = Static<typeof StockLevelListWire>;

/** Lists levels of products and variants alike [catalog-79] [catalog-80], or what changed of them [catalog-120]. */
export const listStockLevelsOperation = readOperation({
  id: 'listStockLevels',
  method: 'GET',
  path: '/stock/levels',
  tag: 'Stock',
  summary: 'List stock levels',
  description: `One row per product or variant and location, ordered by SKU, then location. Levels of deleted variants are not listed.
\`updated_since\` filters by \`source_updated_at\`: levels written by a feed have the feed's timestamps.

To follow changes, poll with \`changed_after\`: send the \`changed_token\` of the answer before, first \`start\`. Nothing is missed.
Ask again at once while \`has_more\` is true. Identify a level by \`product_tu_id\`, \`variant_tu_id\` and \`location\`: its SKU can change.`,
  access: ['catalog.stock:read'],
  query: ListLevelsQuery,
  responses: {
    200: { description: 'One page of levels.', schema: StockLevelListWire, example: stockLevelListExample },
  },
  handle: async (context, { caller: { brandId }, query, known }) => {
    const { database, changeSeal } = context;
    if (query.changed_after !== undefined) {
      const { body, version } = await changesAfter(context, brandId, query, query.changed_after);
      return { status: 200, body, version: { state: stateOf(context, version), isKept: false } };
    }
    const page = pageOf(query);
    const list = await listLevelsUnless(database, brandId, {
      filter: filterOf(query),
      page,
      known: knownVersion(context, known),
    });
    if (list === null) return unchanged;
    const token = sealChangeToken(changeSeal, brandId, list.position);
    return {
      status: 200,
      body: {
        data: list.levels.map(stockLevelToWire),
        meta: { ...pageMeta(page, list.total), changed_token: token },
      },
      version: { state: stateOf(context, list.version) },
    };
  },
  currentVersion: async (context, { caller }) => {
    const version = await findProductListVersion(context.database, caller.brandId);
    return version === null ? null : stateOf(context, version);
  },
});

function filterOf({ sku, location, updated_since: since }: Query): LevelFilter {
  const updatedSince = since === undefined ? undefined : (parseSourceTime(since) ?? undefined);
  return { sku, location, updatedSince };
}

function stateOf({ changeSeal }: ServiceContext, version: string): string {
  return `${changeSeal.id} ${version}`;
}

/** Returns the version of a list whose tokens have the current secret; else null. */
function knownVersion({ changeSeal }: ServiceContext, state: string | null): string | null {
  const own = `${changeSeal.id} `;
  return state?.startsWith(own) === true ? state.slice(own.length) : null;
}

async function changesAfter(
  { database, changeSeal }: ServiceContext,
  brandId: number,
  query: Query,
  token: string,
): Promise<{ readonly body: Body; readonly version: string }> {
  if (query.page !== undefined)
    throw invalidField(
      'page',
      'must not be sent with changed_after, whose token says where the page begins.',
    );
  const position = token === startToken ? null : positionOfToken(changeSeal, brandId, token);
  if (position === null && token !== startToken) throw invalidToken();
  const { size } = pageOf(query);
  const changes = await listChangedLevels(database, brandId, { filter: filterOf(query), size, position });
  if (changes === null) throw invalidToken();
  const { levels, next, hasMore, version } = changes;
  const data = levels.map((level) => ({ ...stockLevelToWire(level), is_deleted: level.isDeleted }));
  const page: Page = { number: 1, size, offset: 0 };
  const meta = { ...pageMeta(page, data.length), changed_token: sealChangeToken(changeSeal, brandId, next) };
  return { body: { data, meta: { ...meta, has_more: hasMore } }, version };
}

function invalidToken() {
  return invalidField(
    'changed_after',
    'is not a valid token: it is too old, damaged, of another brand, or from before a restore of the database. Read all levels again, with start.',
  );
}

interface LevelPage {
  readonly levels: StockLevel[];
  readonly total: number;
  readonly version: string;
  /** The position in the changes that is after all of the page's. */
  readonly position: ChangePosition;
}

const levelRows = jsonRows(levelColumns);

interface Row {
  readonly version: string;
  /** null if the version is the known one. */
  readonly levels: JsonRowsValue | null;
  readonly stockVersion: number;
  readonly stockChangedAt: Date;
}

/**
 * Returns one page by SKU and location, without levels of deleted variants; null if the version is `known`. Two statements in
 * turn: a total older than the version would be kept with it. `updated_since` has no index, because each write of a level would
 * pay for it.
 */
async function listLevelsUnless(
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
    position: {
      version: row.stockVersion,
      changedAt: row.stockChangedAt.getTime(),
      done: null,
      afterLevel: null,
    },
  };
}

/**
 * A deferred join: the page is found in the order's index, then its own rows are read, one by one ("offset 0"), so that the
 * plan is kept. A scan for changed levels is kept separate from the order: walking the index until it found fifty took
 * 1,000 ms if few had changed.
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
       s.version as "stockVersion", s.changed_at as "stockChangedAt"
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
