import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
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
} from '../../dataset-rows.ts';
import type { PageAfter } from '../../engine.ts';
import { contentKey, contentRows } from '../../rows/content-row.ts';
import { engagementKey, engagementRows } from '../../rows/engagement-row.ts';
import { learnerDayKey, learnerDayRows } from '../../rows/learner-day-row.ts';
import type { PackedDataset } from '../../rows/packed-dataset.ts';
import { type KeysetPage, keysetPage } from './keyset-page.ts';

async function readPage<Row>(
  database: Queryable,
  page: KeysetPage & { readonly rows: PackedDataset<Row> },
): Promise<DatasetPage<Row>> {
  const reply = await database.run(keysetPage(page));
  return { rows: page.rows.read(reply[0]?.packed ?? ''), window: windowState(reply) };
}

export function listContents(
  database: Queryable,
  brandId: number,
  { range, contentType, contentRefId }: ContentQuery,
  { after, limit }: PageAfter<ContentKey>,
): Promise<DatasetPage<ContentRow>> {
  return readPage(database, {
    dataset: 'contents',
    rows: contentRows,
    key: contentKey,
    brandId,
    range,
    limit,
    filters: [
      { code: 't', column: 'content_type', value: contentType },
      { code: 'c', column: 'content_ref_id', value: contentRefId },
    ],
    after: after && [after.contentRefId, after.day],
  });
}

export function listLearnerDays(
  database: Queryable,
  brandId: number,
  { range, learnerId }: LearnerDayQuery,
  { after, limit }: PageAfter<LearnerDayKey>,
): Promise<DatasetPage<LearnerDayRow>> {
  return readPage(database, {
    dataset: 'users',
    rows: learnerDayRows,
    key: learnerDayKey,
    brandId,
    range,
    limit,
    filters: [{ code: 'u', column: 'user_id', value: learnerId }],
    after: after && [after.learnerId, after.day],
  });
}

const completed = { code: 'd', sql: 'completions > 0' };
const open = { code: 'o', sql: 'completions = 0' };

export function listContentEngagement(
  database: Queryable,
  brandId: number,
  { range, learnerId, contentType, contentRefId, isCompleted }: ContentEngagementQuery,
  { after, limit }: PageAfter<ContentEngagementKey>,
): Promise<DatasetPage<ContentEngagementRow>> {
  return readPage(database, {
    dataset: 'content_engagement',
    rows: engagementRows,
    key: engagementKey,
    brandId,
    range,
    limit,
    filters: [
      { code: 'u', column: 'user_id', value: learnerId },
      { code: 't', column: 'content_type', value: contentType },
      { code: 'c', column: 'content_ref_id', value: contentRefId },
    ],
    also: isCompleted === undefined ? undefined : isCompleted ? completed : open,
    after: after && [after.contentRefId, after.day, after.learnerId],
  });
}
