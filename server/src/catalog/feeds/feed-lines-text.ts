import { csvRow, type StreamedText } from '../../api/reply.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Feed, FeedLineDetail, LineState } from './feed.ts';
import { feedLineColumns, feedLineToWire } from './feed-line-wire.ts';
import { linesDropped, readFeedLines } from './queries/feed-lines.ts';
import { getFeed } from './queries/get-feed.ts';

interface ExportFormat {
  readonly mediaType: string;
  readonly extension: string;
  readonly header: string;
  line(line: FeedLineDetail): string;
}

export const csvLines = {
  mediaType: 'text/csv',
  extension: 'csv',
  header: csvRow(feedLineColumns),
  line: (line) => {
    const cells = feedLineToWire(line);
    return csvRow(feedLineColumns.map((column) => cells[column]));
  },
} as const satisfies ExportFormat;

export const jsonLines = {
  mediaType: 'application/x-ndjson',
  extension: 'jsonl',
  header: '',
  line: (line) => `${JSON.stringify(feedLineToWire(line))}\n`,
} as const satisfies ExportFormat;

/**
 * `states` null: all lines.
 * @throws ApiError `not_found`; `conflict` if the lines were dropped: an empty file would say that there were none
 */
export async function exportFeedLines(
  database: Queryable,
  key: { readonly brandId: number; readonly feedId: string },
  states: readonly LineState[] | null,
  format: ExportFormat,
): Promise<StreamedText> {
  const { feed } = await getFeed(database, key.brandId, key.feedId);
  if (feed.linesDroppedAt !== null) throw linesDropped(feed.linesDroppedAt);
  return {
    mediaType: format.mediaType,
    fileName: `feed-${feed.tuId}.${format.extension}`,
    parts: textOf(database, feed, states, format),
  };
}

/** The first part has the header and lines, so that a failure to read them is still an error response. */
async function* textOf(
  database: Queryable,
  feed: Feed,
  states: readonly LineState[] | null,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  let { header } = format;
  for await (const lines of readFeedLines(database, feed, states)) {
    yield header + lines.map((line) => format.line(line)).join('');
    header = '';
  }
  if (header !== '') yield header;
}
