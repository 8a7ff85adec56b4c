import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type { ContentKey, ContentQuery, ContentRow, DatasetPage } from '../../dataset-rows.ts';
import { contentKey, contentRows } from '../../rows/content-row.ts';
import { keysetPage, type PageAfter } from './keyset-page.ts';

/** See `AnalyticsStore.listContents`. */
export async function listContents(
  database: Queryable,
  brandId: number,
  { range, contentType, contentRefId }: ContentQuery,
  { after, limit }: PageAfter<ContentKey>,
): Promise<DatasetPage<ContentRow>> {
  const reply = await database.run(
    keysetPage({
      dataset: 'contents',
      rows: contentRows,
      key: contentKey,
      brandId,
      range,
      filters: [
        { code: 't', column: 'content_type', value: contentType },
        { code: 'c', column: 'content_ref_id', value: contentRefId },
      ],
      after: after && [after.contentRefId, after.day],
      limit,
    }),
  );
  return { rows: contentRows.read(reply[0]?.packed ?? ''), window: windowState(reply) };
}
