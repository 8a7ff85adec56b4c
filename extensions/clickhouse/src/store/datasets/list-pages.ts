import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
  ContentKey,
  ContentQuery,
  ContentRow,
  DatasetPage,
  LearnerDayKey,
  LearnerDayQuery,
  LearnerDayRow,
} from '../../../../../server/src/analytics/store/datasets.ts';
import {
  contentRows,
  engagementRows,
  learnerDayRows,
  type PackedDataset,
} from '../../../../../server/src/analytics/store/packed-datasets.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import type { ClickHouse } from '../clickhouse.ts';
import { readWindowLayers } from '../coordination/read-window-layers.ts';
import { integer } from '../literals.ts';
import {
  type PageKey,
  type PagePart,
  type PageRows,
  pageStatement,
  startsWithLeadingKey,
} from './page-statement.ts';

/** The databases that a page is read from: one look-up in PostgreSQL, then one or two queries in ClickHouse. */
export interface PageSource {
  readonly database: Queryable;
  readonly clickHouse: ClickHouse;
}

interface PageLimit<Key> {
  readonly after: Key | null;
  readonly limit: number;
}

export function listContents(
  source: PageSource,
  brandId: number,
  { range, contentType, contentRefId }: ContentQuery,
  { after, limit }: PageLimit<ContentKey>,
): Promise<DatasetPage<ContentRow>> {
  const conditions = [...ofType(contentType), ...equal('content_ref_id', contentRefId)];
  const rows: PageRows = { dataset: 'contents', brandId, range, conditions, columns: contentRows.columns };
  return readPage(source, rows, { after: after && [after.contentRefId, after.day], limit }, contentRows);
}

export function listLearnerDays(
  source: PageSource,
  brandId: number,
  { range, learnerId }: LearnerDayQuery,
  { after, limit }: PageLimit<LearnerDayKey>,
): Promise<DatasetPage<LearnerDayRow>> {
  const conditions = equal('user_id', learnerId);
  const rows: PageRows = { dataset: 'users', brandId, range, conditions, columns: learnerDayRows.columns };
  return readPage(source, rows, { after: after && [after.learnerId, after.day], limit }, learnerDayRows);
}

export function listContentEngagement(
  source: PageSource,
  brandId: number,
  { range, learnerId, contentType, contentRefId, isCompleted }: ContentEngagementQuery,
  { after, limit }: PageLimit<ContentEngagementKey>,
): Promise<DatasetPage<ContentEngagementRow>> {
  const conditions = [
    ...equal('user_id', learnerId),
    ...ofType(contentType),
    ...equal('content_ref_id', contentRefId),
    ...(isCompleted === undefined ? [] : [isCompleted ? 'completions > 0' : 'completions = 0']),
  ];
  const { columns } = engagementRows;
  const rows: PageRows = { dataset: 'content_engagement', brandId, range, conditions, columns };
  const key = after && [after.contentRefId, after.day, after.learnerId];
  return readPage(source, rows, { after: key, limit }, engagementRows);
}

async function readPage<Row>(
  { database, clickHouse }: PageSource,
  rows: PageRows,
  page: PageLimit<PageKey>,
  packing: PackedDataset<Row>,
): Promise<DatasetPage<Row>> {
  const window = await readWindowLayers(database, rows.brandId, rows.dataset, rows.range);
  const read = async (part: PagePart) => {
    const text = pageStatement(rows, window, part);
    return text === null ? [] : packing.read(packedOf(await clickHouse.read(text)));
  };
  const { after, limit } = page;
  const found: Row[] = [];
  const splits = startsWithLeadingKey(rows, after);
  if (splits) found.push(...(await read({ of: 'leading key', after, limit })));
  if (found.length < limit)
    found.push(
      ...(await read({ of: splits ? 'later keys' : 'all keys', after, limit: limit - found.length })),
    );
  return { rows: found, window: window.window };
}

/** Returns lines of comma-separated values as packed rows, whose values each end with a comma. */
export function packedOf(lines: string): string {
  return lines === '' ? '' : `${lines.replaceAll('\n', ',')},`;
}

function equal(column: string, value: number | undefined): string[] {
  return value === undefined ? [] : [`${column} = ${integer(value)}`];
}

/** No content has a type of another form, and the form needs no quoting [internal-37]. */
function ofType(contentType: string | undefined): string[] {
  if (contentType === undefined) return [];
  return [/^[a-z_]{1,32}$/.test(contentType) ? `content_type = '${contentType}'` : 'false'];
}
