import type { FeedInput } from './feed-input.ts';

export type FeedSubmission = FeedInput & {
  /** The system that sends the feed; shown in the report. */
  readonly source: string;
  /**
   * Identifies the feed: sent again with the same id, it is not applied again. Derive it from the export, such as its
   * file name and date, and a process that died can submit the same file once more. Default: random.
   */
  readonly batchId?: string | undefined;
};
