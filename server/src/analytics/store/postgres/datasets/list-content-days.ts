import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type { ContentKey, ContentQuery, ContentRow, DatasetPage } from '../../dataset-rows.ts';
import { contentColumns, contentKey, contentRow } from '../../rows/content-row.ts';
import { unpackRows } from '../../rows/packed-row.ts';
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
      columns: contentColumns,
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
  const rows = unpackRows(reply, contentColumns).map(contentRow);
  return { rows, window: windowState(reply) };
}
