import type { ClientApi } from '../client-api.ts';
import type { StockFeedReport } from '../generated/wire.ts';
import type { CallOptions } from '../transport/client-options.ts';

const linesPerPage = 500;

/** A line of a feed's report. */
export interface ReportLine {
  /** The place in the feed, counting from 0. */
  readonly line: number;
  readonly decided: StockFeedReport['lines']['data'][number];
  /** When the service received the feed. */
  readonly receivedAt: string;
}

/** Iterates the lines of a feed's report that have one of the results, in the order in which they were sent. */
export async function* reportLines(
  api: ClientApi,
  feedId: string,
  results: readonly string[],
  options: CallOptions,
): AsyncGenerator<ReportLine, void, undefined> {
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const query = { page, per_page: linesPerPage, result: results.join(',') };
    const report = await api.call('getStockFeedReport', [feedId], { query }, options);
    lastPage = report.lines.meta.last_page;
    for (const decided of report.lines.data)
      yield { line: decided.line, decided, receivedAt: report.received_at };
  }
}
