import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
  DatasetPage,
} from '../../dataset-rows.ts';
import { engagementKey, engagementRows } from '../../rows/engagement-row.ts';
import { keysetPage, type PageAfter } from './keyset-page.ts';

const completed = { code: 'd', sql: 'completions > 0' };
const open = { code: 'o', sql: 'completions = 0' };

/** See `AnalyticsStore.listContentEngagement`. */
export async function listContentEngagement(
  database: Queryable,
  brandId: number,
  { range, learnerId, contentType, contentRefId, isCompleted }: ContentEngagementQuery,
  { after, limit }: PageAfter<ContentEngagementKey>,
): Promise<DatasetPage<ContentEngagementRow>> {
  const reply = await database.run(
    keysetPage({
      dataset: 'content_engagement',
      rows: engagementRows,
      key: engagementKey,
      brandId,
      range,
      filters: [
        { code: 'u', column: 'user_id', value: learnerId },
        { code: 't', column: 'content_type', value: contentType },
        { code: 'c', column: 'content_ref_id', value: contentRefId },
      ],
      also: isCompleted === undefined ? undefined : isCompleted ? completed : open,
      after: after && [after.contentRefId, after.day, after.learnerId],
      limit,
    }),
  );
  return { rows: engagementRows.read(reply[0]?.packed ?? ''), window: windowState(reply) };
}
