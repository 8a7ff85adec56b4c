import type { Brandport, FeedSummary } from '@brandport/client';

export interface ApplyOptions {
  readonly brandport: Brandport;
  /** The file of the plan. */
  readonly plan: string;
  /** Default: the plan's name with `.journal`. */
  readonly journal?: string | undefined;
  /** SKUs of products that are written although they have changed since the plan. */
  readonly force?: readonly string[] | undefined;
  /** Applies a plan with problems: what they concern is not in it. */
  readonly skipProblems?: boolean | undefined;
  readonly archiveMissing?: boolean | undefined;
  /** The largest share of the active products that may be archived; default 0.05. */
  readonly maxArchive?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

export interface ApplyProgress {
  /** Writes of the plan that are done, of this run or of an earlier one. */
  readonly done: number;
  readonly of: number;
}

export interface ApplyResult {
  /** Writes of this run. */
  readonly written: number;
  /** Writes that earlier runs have done. */
  readonly skipped: number;
  /** Products that have changed since the plan. Plan again, or force them. */
  readonly refused: readonly { readonly at: string; readonly message: string }[];
  /** Writes that the service refused. */
  readonly failed: readonly { readonly at: string; readonly message: string }[];
  /** Archives of the plan that were left out because `archiveMissing` was not given. */
  readonly archivesLeftOut: number;
  /** The decided lines of the feed by result; null without a feed. */
  readonly feed: FeedSummary['totals'] | null;
  /** false: something was refused or has failed. */
  readonly isComplete: boolean;
}
