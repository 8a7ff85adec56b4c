import type { ClientApi } from '../resource.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type FeedLine, type FeedSubmission, isRereadable, OriginalLines } from './feed-input.ts';
import { type FeedSummary, type WaitOptions, waitForFeeds } from './feed-progress.ts';
import {
  correctable,
  type FailedLine,
  type FeedResult,
  failures,
  remedies,
  reportLines,
} from './feed-results.ts';

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
  /** Default: the batch id of the feed with `-again`. */
  readonly batchId?: string | undefined;
}

interface Submitted {
  readonly submission: FeedSubmission;
  readonly batchId: string;
  readonly parts: readonly SubmittedPart[];
  readonly resubmit: (submission: FeedSubmission, options?: CallOptions) => Promise<SubmittedFeed>;
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
   * received it, so that it cannot replace a newer quantity. Returns null if there is nothing to send.
   * @throws TypeError if the input cannot be read again
   */
  async resubmit(options: ResubmitOptions = {}): Promise<SubmittedFeed | null> {
    const { results = correctable, correct = (line) => line, batchId, ...callOptions } = options;
    const { submission, resubmit } = this.#submitted;
    if (!isRereadable(submission))
      throw new TypeError('The lines cannot be read again: submit an array, a string or a function.');
    const lines: FeedLine[] = [];
    for await (const { failed, receivedAt } of this.#failures({ ...callOptions, results })) {
      const { original } = failed;
      if (original === null) throw new TypeError('The input has fewer lines than the feed.');
      const line = correct({ ...original, updated_at: original.updated_at ?? receivedAt }, failed);
      if (line !== null) lines.push(line);
    }
    if (lines.length === 0) return null;
    const { source } = submission;
    return resubmit({ source, lines, batchId: batchId ?? `${this.batchId}-again` }, callOptions);
  }

  async *#failures({
    results = failures,
    ...options
  }: FailureOptions): AsyncGenerator<Failure, void, undefined> {
    const { submission } = this.#submitted;
    const originals = isRereadable(submission) ? new OriginalLines(submission) : null;
    try {
      for (const { feedId, firstLine } of this.parts)
        for await (const { line, decided, receivedAt } of reportLines(this.#api, feedId, results, options)) {
          const { sku, location_code: locationCode, result, message } = decided;
          if (result === null) continue;
          const place = firstLine + line;
          const original = originals === null ? null : await originals.at(place);
          const remedy = remedies[result] ?? null;
          const failed = { line: place, sku, location_code: locationCode, result, message, remedy, original };
          yield { failed, receivedAt };
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
