import { BrandportError, DeadlineExceeded } from '../errors.ts';
import type { StockFeedReport } from '../generated/wire.ts';
import type { ClientApi } from '../resource.ts';
import { type CallOptions, keyFrom, Lifetime } from '../transport/client-options.ts';
import { type FeedSubmission, isRereadable, OriginalLines } from './feed-input.ts';
import type { FeedLine } from './feed-line.ts';

/** A feed of the service: up to 100,000 lines of a submission. */
export interface SubmittedPart {
  readonly feedId: string;
  readonly batchId: string;
  /** The lines of all parts before. */
  readonly firstLine: number;
  readonly lines: number;
  /** false if the batch id was known: the lines are not applied again. */
  readonly isNew: boolean;
  /** true if the batch id was used before with other lines. */
  readonly bodyDiffers: boolean;
  /** The time at which the service received the first of lines that were sent again. Keep it for `reopen`. */
  readonly firstReceivedAt?: string;
}

export interface FailureOptions extends CallOptions {
  /** Default: all but `applied`, `unchanged` and `superseded`. */
  readonly results?: readonly FeedResult[] | undefined;
}

export interface ResubmitOptions extends CallOptions {
  /** Default: those that a correction can help. */
  readonly results?: readonly FeedResult[] | undefined;
  /** Returns the line to send; null to leave it out. Default: the original line. */
  readonly correct?: ((line: FeedLine, failed: FailedLine) => FeedLine | null) | undefined;
  /** Default: the batch id of the feed with `-again-` and a digest of the lines: other lines are another feed. */
  readonly batchId?: string | undefined;
}

interface Submitted {
  readonly submission: FeedSubmission;
  readonly batchId: string;
  readonly parts: readonly SubmittedPart[];
  readonly resubmit: (
    submission: FeedSubmission,
    firstReceivedAt: string,
    options?: CallOptions,
  ) => Promise<SubmittedFeed>;
}

/** A submission that the service has accepted. */
export class SubmittedFeed {
  readonly batchId: string;
  readonly parts: readonly SubmittedPart[];
  readonly #api: ClientApi;
  readonly #submitted: Submitted;

  constructor(api: ClientApi, submitted: Submitted) {
    this.#api = api;
    this.#submitted = submitted;
    this.batchId = submitted.batchId;
    this.parts = submitted.parts;
  }

  /** Waits until every line is decided. @throws BrandportError `feed_failed` or `deadline_exceeded` */
  wait(options: WaitOptions = {}): Promise<FeedSummary> {
    const feedIds = this.parts.map(({ feedId }) => feedId);
    return waitForFeeds(this.#api, feedIds, options);
  }

  /**
   * Iterates the lines that did not set the stock, in the order of the submission, with the line as it was sent if the
   * input can be read again.
   */
  async *failedLines(options: FailureOptions = {}): AsyncGenerator<FailedLine, void, undefined> {
    for await (const { failed } of this.#failures(options)) yield failed;
  }

  /**
   * Submits failed lines again, under another batch id. A line without `updated_at` gets the time at which the service
   * received it first, so that it cannot replace a newer quantity. Returns null if there is nothing to send.
   * @throws TypeError if the input cannot be read again
   */
  async resubmit(options: ResubmitOptions = {}): Promise<SubmittedFeed | null> {
    const { results = correctable, correct = (line) => line, batchId, ...callOptions } = options;
    const { submission, resubmit } = this.#submitted;
    if (!isRereadable(submission))
      throw new TypeError('The lines cannot be read again: submit an array, a string or a function.');
    const lines: FeedLine[] = [];
    let first = '';
    for await (const { failed, receivedAt } of this.#failures({ ...callOptions, results })) {
      const { original } = failed;
      if (original === null) throw new TypeError('The input has fewer lines than the feed.');
      const line = correct({ ...original, updated_at: original.updated_at ?? receivedAt }, failed);
      if (line === null) continue;
      lines.push(line);
      if (first === '' || receivedAt < first) first = receivedAt;
    }
    if (lines.length === 0) return null;
    const { source } = submission;
    const again = `${this.batchId.slice(0, 150)}-again-${(await keyFrom(lines)).slice(0, 16)}`;
    return resubmit({ source, lines, batchId: batchId ?? again }, first, callOptions);
  }

  async *#failures({
    results = failures,
    ...options
  }: FailureOptions): AsyncGenerator<Failure, void, undefined> {
    const { submission } = this.#submitted;
    const originals = isRereadable(submission) ? new OriginalLines(submission) : null;
    try {
      for (const { feedId, firstLine, firstReceivedAt } of this.parts)
        for await (const { line, decided, receivedAt } of reportLines(this.#api, feedId, results, options)) {
          const { sku, location_code: locationCode, result, message } = decided;
          if (result === null) continue;
          const place = firstLine + line;
          const original = originals === null ? null : await originals.at(place);
          const remedy = remedies[result] ?? null;
          const failed = { line: place, sku, location_code: locationCode, result, message, remedy, original };
          yield { failed, receivedAt: firstReceivedAt ?? receivedAt };
        }
    } finally {
      await originals?.end();
    }
  }
}

interface Failure {
  readonly failed: FailedLine;
  readonly receivedAt: string;
}

/** A feed whose lines have all been decided, or the progress towards it. */
export interface FeedSummary {
  readonly status: 'processing' | 'completed';
  /** Decided lines by result, and `received`: all lines of all parts. */
  readonly totals: Readonly<Record<string, number>>;
}

export interface WaitOptions extends CallOptions {
  /** The longest wait, in milliseconds; default: not limited. */
  readonly deadlineMs?: number | undefined;
  /** Called after each look at the feed. */
  readonly onProgress?: ((summary: FeedSummary) => void) | undefined;
}

const firstPollMs = 250;
const longestPollMs = 5_000;

/**
 * Waits until all feeds are completed.
 * @throws BrandportError `feed_failed` if one failed, `deadline_exceeded` if they take longer
 */
async function waitForFeeds(
  api: ClientApi,
  feedIds: readonly string[],
  options: WaitOptions,
): Promise<FeedSummary> {
  const { deadlineMs, onProgress, ...callOptions } = options;
  const lifetime = new Lifetime(options.signal, deadlineMs);
  const totals = new Map<string, Readonly<Record<string, number>>>();
  const open = new Set(feedIds);
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      for (const feedId of open) {
        const query = { per_page: 1 };
        const more = { ...callOptions, signal: lifetime.signal };
        const report = await api.call('getStockFeedReport', [feedId], { query }, more);
        totals.set(feedId, report.totals as Readonly<Record<string, number>>);
        if (report.status === 'completed') open.delete(feedId);
        if (report.status === 'failed') throw failed(feedId, report.message);
      }
      const summary = summaryOf(open.size === 0, totals);
      onProgress?.(summary);
      if (open.size === 0) return summary;
      await lifetime.wait(pollMs);
    }
  } catch (error) {
    if (!lifetime.isExpired) throw error;
    const message = `The feed was not completed within ${deadlineMs} ms.`;
    throw new DeadlineExceeded({ code: 'deadline_exceeded', message, retryable: true });
  } finally {
    lifetime.end();
  }
}

function failed(feedId: string, reason: string | null): BrandportError {
  const message = `The feed ${feedId} failed: ${reason ?? 'no reason was given'}.`;
  return new BrandportError({ code: 'feed_failed', message });
}

function summaryOf(
  isCompleted: boolean,
  totals: ReadonlyMap<string, Readonly<Record<string, number>>>,
): FeedSummary {
  const sums: Record<string, number> = {};
  for (const one of totals.values())
    for (const [result, count] of Object.entries(one)) sums[result] = (sums[result] ?? 0) + count;
  return { status: isCompleted ? 'completed' : 'processing', totals: sums };
}

/** Open: later versions of the service may have further results. */
export type FeedResult =
  | 'applied'
  | 'unchanged'
  | 'superseded'
  | 'stale'
  | 'unknown_sku'
  | 'unknown_location'
  | 'not_stockable'
  | (string & {});

/** Results of lines that were not applied, and who has to fix them. */
const remedies: Readonly<Record<string, string>> = {
  unknown_sku: 'Create the product or variant, or correct the SKU; then send the line again.',
  unknown_location: 'Create the stock location, or correct its code; then send the line again.',
  not_stockable: 'The SKU belongs to a product with variants: send the SKUs of its variants.',
  stale: 'The stored quantity is newer than the line: nothing to do, unless `updated_at` is wrong.',
  superseded: 'A later line of the same feed has the same SKU and location: nothing to do.',
};

/** A line that did not set the stock. */
export interface FailedLine {
  /** The place among all submitted lines, counting from 0. */
  readonly line: number;
  readonly sku: string;
  readonly location_code: string;
  readonly result: FeedResult;
  readonly message: string | null;
  /** The next step, for humans; null for a result that this version does not know. */
  readonly remedy: string | null;
  /** The line as it was sent; null if the input cannot be read again. */
  readonly original: FeedLine | null;
}

/** The results that `failedLines` returns unless others are named. */
const failures: readonly FeedResult[] = ['unknown_sku', 'unknown_location', 'not_stockable', 'stale'];

/** The results for which sending the line again can help. */
const correctable: readonly FeedResult[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

const linesPerPage = 500;

/** A line of a feed's report. */
interface ReportLine {
  /** The place in the feed, counting from 0. */
  readonly line: number;
  readonly decided: StockFeedReport['lines']['data'][number];
  /** When the service received the feed. */
  readonly receivedAt: string;
}

/** Iterates the lines of a feed's report that have one of the results, in the order in which they were sent. */
async function* reportLines(
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
