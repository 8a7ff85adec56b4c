import { fixedLimit } from '../../api/pagination.ts';
import type { Seal } from '../../lib/secrets.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { column, epochMs, type JsonRows, type JsonRowsValue, jsonRows } from '../../postgres/json-rows.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import { productListVersion } from '../brand-catalog-store.ts';
import type { StockLevel } from './stock-level.ts';
import {
  addLevelFilter,
  type LevelFilter,
  levelColumns,
  levelFromRow,
  levelOwners,
  storedLevelColumns,
} from './stock-level-store.ts';

/** A position in the changes of a brand's stock: the client knows what was changed before it [catalog-120]. */
export interface ChangePosition {
  /** The stock version of the position. */
  readonly version: number;
  /** When that version was written, in milliseconds since the Unix epoch. Tells two histories with equal versions apart. */
  readonly changedAt: number;
  /** The number of the version's changed levels that are before the position; null: all. */
  readonly done: number | null;
  /** While all levels are listed for the first time: the id of the last one; else null. */
  readonly afterLevel: number | null;
}

/** The stock of a brand at the moment of a read, and what it has recorded at a position. */
interface ChangeHistory {
  readonly version: number;
  readonly changedAt: number;
  /** When the position's version was written; null if that is not recorded any more. */
  readonly positionChangedAt: number | null;
  /** True if the first change after the position is recorded. Later ones are recorded as long as it is. */
  readonly isNextKept: boolean;
}

function nextVersionOf({ version, done }: ChangePosition): number {
  return done === null ? version + 1 : version;
}

/**
 * Returns whether all changes after a position are recorded. They are not if it is too old, or of another history: of another
 * database, or one that a restore has undone.
 */
export function hasAllChangesSince(history: ChangeHistory, position: ChangePosition): boolean {
  if (nextVersionOf(position) > history.version)
    return position.version === history.version && position.changedAt === history.changedAt;
  const { isNextKept, positionChangedAt } = history;
  return isNextKept && (positionChangedAt === null || positionChangedAt === position.changedAt);
}

/** The value of `changed_after` that begins with all levels. */
export const startToken = 'start';

/** Equal positions have equal tokens, in every process, because the bodies that contain them have strong entity tags. */
export function sealChangeToken(seal: Seal, brandId: number, position: ChangePosition): string {
  const { version, changedAt, done, afterLevel } = position;
  return seal.seal(boundTo(brandId), JSON.stringify([version, changedAt, done, afterLevel]));
}

/** Returns null for a token that the server has not created for the brand. */
export function positionOfToken(seal: Seal, brandId: number, token: string): ChangePosition | null {
  const text = seal.open(boundTo(brandId), token);
  if (text === null) return null;
  const [version, changedAt, done, afterLevel] = JSON.parse(text) as [
    number,
    number,
    number | null,
    number | null,
  ];
  return { version, changedAt, done, afterLevel };
}

function boundTo(brandId: number): string {
  return `stock changes of ${brandId}`;
}

interface ChangedLevel extends StockLevel {
  /** True if its variant was deleted. */
  readonly isDeleted: boolean;
}

interface ChangesPage {
  readonly levels: ChangedLevel[];
  /** The position after the page. */
  readonly next: ChangePosition;
  /** False if nothing was behind `next` at the moment of the read. */
  readonly hasMore: boolean;
  readonly version: string;
}

interface ChangesRequest {
  readonly filter: LevelFilter;
  readonly size: number;
  /** null: begins with all levels. */
  readonly position: ChangePosition | null;
}

/** The most recorded changes, or levels, that one request looks at: with filters, a page may be short or empty. */
const mostExamined = 1_000;

const changedRows = jsonRows({
  ...levelColumns,
  isDeleted: column<boolean>('l.is_hidden'),
  version: column<number>('l.version'),
  changedAt: epochMs('l.changed_at'),
  ordinal: column<number>('l.ordinal'),
});
const startRows = jsonRows({ ...levelColumns, id: column<number>('l.id') });

interface Row {
  readonly listVersion: string;
  readonly version: number;
  readonly changedAt: Date;
  readonly placeChangedAt: Date | null;
  readonly isNextKept: boolean | null;
  /** null if nothing has changed since the position. */
  readonly levels: JsonRowsValue | null;
  /** The last of the examined changes if there are more: version, milliseconds and ordinal; or the id of the last level. */
  readonly edge: string | null;
}

/**
 * Returns the levels that changed after a position, each once, where it changed last, in their current state, including deleted
 * ones [catalog-120]; without a position, or in the middle of such a list, all levels by id first. One statement, so the page
 * and the position after it are of one moment. null: the token is too old, or from another database.
 */
export async function listChangedLevels(
  database: Queryable,
  brandId: number,
  request: ChangesRequest,
): Promise<ChangesPage | null> {
  const { position } = request;
  const isStart = position === null || position.afterLevel !== null;
  const [row] = await database.run(isStart ? selectStart(brandId, request) : selectChanges(brandId, request));
  if (row === undefined) throw new Error(`brand ${brandId} has no row in brand_stocks`);
  const now = { version: row.version, changedAt: row.changedAt.getTime(), done: null, afterLevel: null };
  const history = {
    ...now,
    positionChangedAt: row.placeChangedAt?.getTime() ?? null,
    isNextKept: row.isNextKept === true,
  };
  if (position !== null && !hasAllChangesSince(history, position)) return null;
  return isStart ? startPage(row, request, position ?? now) : changesPage(row, request, now);
}

function changesPage(row: Row, { size }: ChangesRequest, now: ChangePosition): ChangesPage {
  const rows = changedRows.read(row.levels ?? []);
  const levels = rows.slice(0, size).map((level) => ({ ...levelFromRow(level), isDeleted: level.isDeleted }));
  const after = (version: number, changedAt: number, done: number) => ({
    levels,
    version: row.listVersion,
    hasMore: true,
    next: { version, changedAt, done, afterLevel: null },
  });
  const last = rows[size - 1];
  if (rows.length > size && last !== undefined) return after(last.version, last.changedAt, last.ordinal);
  if (row.edge !== null) {
    const [version = 0, changedAt = 0, ordinal = 0] = row.edge.split(' ').map(Number);
    return after(version, changedAt, ordinal);
  }
  return { levels, version: row.listVersion, hasMore: false, next: now };
}

/** @param begin where the listing of all levels began, and how far it is */
function startPage(row: Row, { size }: ChangesRequest, begin: ChangePosition): ChangesPage {
  const rows = startRows.read(row.levels ?? []);
  const levels = rows.slice(0, size).map((level) => ({ ...levelFromRow(level), isDeleted: false }));
  const last = rows[size - 1];
  const afterLevel =
    rows.length > size && last !== undefined ? last.id : row.edge === null ? null : Number(row.edge);
  return {
    levels,
    version: row.listVersion,
    next: { ...begin, afterLevel },
    hasMore: afterLevel !== null || row.version > begin.version,
  };
}

/**
 * Walks the changes by their primary key and looks up each level. A change that a later one of the same level has replaced is
 * recognised by the level's `updated_at`. Without changes, only the rows of the brand are read.
 */
function selectChanges(brandId: number, { filter, size, position }: ChangesRequest): Statement<Row> {
  const since = position as ChangePosition;
  const where = new Conditions(
    ['l.brand_id = $1', 'l.id = e.level_id', 'l.updated_at <= e.changed_at'],
    [brandId, since.version, nextVersionOf(since), since.done ?? 0],
  );
  addLevelFilter(where, 'l', filter);
  const most = fixedLimit(size);
  // Hidden from the planner, which would otherwise plan for the number of changes after each value, on every execution.
  const from = '(select $3::bigint)';
  const examined = `select r.version, r.changed_at, u.ordinal, u.level_id
    from (
      select k.version, k.changed_at, k.level_ids from stock_changes k
      where k.brand_id = $1 and k.version >= ${from}
      order by k.version limit ${mostExamined}
    ) as r
    cross join lateral unnest(r.level_ids) with ordinality as u (level_id, ordinal)
    where r.version > ${from} or u.ordinal > $4
    order by r.version, u.ordinal`;
  return statement(
    `list_changed_levels/${where.code}/${most}`,
    selectAt(
      changedRows,
      `select l.version, l.changed_at, l.ordinal, l.is_hidden, ${storedLevelColumns},
         row_number() over (order by l.version, l.ordinal) as n
       from (
         select e.version, e.changed_at, e.ordinal, l.is_hidden, ${storedLevelColumns}
         from (${examined} limit ${mostExamined}) as e
         cross join lateral (
           select ${storedLevelColumns}, l.is_hidden from stock_levels l where ${where.sql} offset 0
         ) as l
         order by e.version, e.ordinal
         limit ${most + 1}
       ) as l`,
      `select concat_ws(' ', e.version, (date_part('epoch', e.changed_at) * 1000)::bigint, e.ordinal)
       from (${examined} offset ${mostExamined - 1} limit 1) as e`,
    ),
    where.values,
  );
}

/** Walks all levels by their ids, which no change moves. Those of one SKU are found by it. */
function selectStart(brandId: number, { filter, size, position }: ChangesRequest): Statement<Row> {
  const { sku, ...others } = filter;
  // Not `$1`: a connection would plan for the number of levels of each brand, on every execution.
  const examined = new Conditions(
    ['l.brand_id = b.id', 'l.id > (select $4::bigint)'],
    [
      brandId,
      position?.version ?? null,
      position === null ? null : nextVersionOf(position),
      position?.afterLevel ?? 0,
    ],
  );
  examined.add('s', (parameter) => `not l.is_hidden and l.sku = ${parameter}`, sku);
  const where = new Conditions(['not l.is_hidden'], examined.values);
  addLevelFilter(where, 'l', others);
  const most = fixedLimit(size);
  const from = `from stock_levels l where ${examined.sql} order by l.id`;
  return statement(
    `list_all_levels/${examined.code}${where.code}/${most}`,
    selectAt(
      startRows,
      `select l.id, l.id as n, ${storedLevelColumns}
       from (select l.id, l.is_hidden, ${storedLevelColumns} ${from} limit ${mostExamined}) as l
       where ${where.sql}
       order by l.id
       limit ${most + 1}`,
      `select l.id::text ${from} offset ${mostExamined - 1} limit 1`,
      'true',
    ),
    where.values,
  );
}

/**
 * Selects the page, the state of the brand, and what is recorded at version `$2`, followed by `$3`. `page` yields levels `l`
 * with their order `n`.
 */
function selectAt(
  { aggregate, columns }: Pick<JsonRows<never>, 'aggregate' | 'columns'>,
  page: string,
  edge: string,
  isRead = 's.version >= $3',
): string {
  return `select ${productListVersion} as "listVersion", s.version, s.changed_at as "changedAt",
      case when s.version >= $3 then (
        select k.changed_at from stock_changes k where k.brand_id = $1 and k.version = $2
      ) end as "placeChangedAt",
      case when s.version >= $3 then exists (
        select 1 from stock_changes k where k.brand_id = $1 and k.version = $3
      ) end as "isNextKept",
      case when ${isRead} then ${aggregate(`select ${columns} from (${page}) as l ${levelOwners} order by l.n`)} end as levels,
      case when ${isRead} then (${edge}) end as edge
    from brands b
    join brand_stocks s on s.brand_id = b.id
    left join brand_catalogs c on c.brand_id = b.id
    where b.id = $1`;
}
