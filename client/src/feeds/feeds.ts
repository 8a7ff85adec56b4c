import { isBrandportError } from '../errors.ts';
import type { GetStockFeedReportQuery, StockFeedReport } from '../generated/wire.ts';
import { ClientResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import { type CallOptions, notify } from '../transport/client-options.ts';
import { type FeedPart, type FeedSubmission, feedParts, linesOf } from './feed-input.ts';
import { SubmittedFeed, type SubmittedPart } from './submitted-feed.ts';

/** Stock feeds: absolute quantities of thousands of levels, applied in the background. */
export class Feeds extends ClientResource {
  /**
   * Submits lines or CSV. More than 100,000 lines become several feeds, in order, with the batch ids `<id>-part1`,
   * `<id>-part2`, …; retries and deadlines apply to each. The error of a line in CSV leaves earlier parts submitted.
   * @throws BrandportError
   */
  async submit(submission: FeedSubmission, options?: CallOptions): Promise<SubmittedFeed> {
    const { source, batchId = crypto.randomUUID() } = submission;
    const parts: SubmittedPart[] = [];
    for await (const part of feedParts(linesOf(submission)))
      parts.push(await this.#submitPart(source, partId(batchId, parts.length, part), part, options));
    return this.#submitted(submission, batchId, parts);
  }

  /** Returns a submission of an earlier process, from the `parts` that it kept. Sends nothing. */
  reopen(
    submission: FeedSubmission & { readonly batchId: string },
    parts: readonly SubmittedPart[],
  ): SubmittedFeed {
    return this.#submitted(submission, submission.batchId, parts);
  }

  #submitted(submission: FeedSubmission, batchId: string, parts: readonly SubmittedPart[]): SubmittedFeed {
    const resubmit = async (again: FeedSubmission, firstReceivedAt: string, more?: CallOptions) => {
      const sent = await this.submit(again, more);
      return this.#submitted(
        again,
        sent.batchId,
        sent.parts.map((part) => ({ ...part, firstReceivedAt })),
      );
    };
    return new SubmittedFeed(this.api, { submission, batchId, parts, resubmit });
  }

  /** Returns a page of a feed's report. */
  report(feedId: string, query?: GetStockFeedReportQuery, options?: CallOptions): Call<StockFeedReport> {
    return this.api.call('getStockFeedReport', [feedId], { query }, options);
  }

  async #submitPart(
    source: string,
    batchId: string,
    { json, count, firstLine }: FeedPart,
    options: CallOptions | undefined,
  ): Promise<SubmittedPart> {
    const text = `{"source":${JSON.stringify(source)},"mode":"snapshot","lines":${json}}`;
    const stream = { contentType: 'application/json', body: () => text };
    const call = this.api.call('submitStockFeed', [], { stream }, { ...options, idempotencyKey: batchId });
    const { data, response } = await call.withResponse().catch((error: unknown) => {
      throw isBrandportError(error, 'validation_failed') ? error.withLinesFrom(firstLine) : error;
    });
    const bodyDiffers = response.headers.get('x-feed-body-differs') === 'true';
    if (bodyDiffers)
      notify(this.api.hooks.onWarning, { kind: 'feed_body_differs', feedId: data.feed_id, batchId });
    return {
      feedId: data.feed_id,
      batchId,
      firstLine,
      lines: count,
      isNew: response.status === 202,
      bodyDiffers,
    };
  }
}

/** A feed of one part has the id that was given. */
function partId(batchId: string, index: number, { isLast }: FeedPart): string {
  return index === 0 && isLast ? batchId : `${batchId}-part${index + 1}`;
}
