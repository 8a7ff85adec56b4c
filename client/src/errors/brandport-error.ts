import type { ErrorCode } from '../generated/wire.ts';

/** The codes of errors that come from the SDK, and not from a response of the service. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'attempt_timed_out'
  | 'deadline_exceeded'
  | 'unexpected_response'
  | 'not_modified'
  | 'cursor_repeated'
  | 'window_changed'
  | 'csv_invalid'
  | 'feed_failed';

/** Open: later versions of the service may send further codes. Handle an unknown one by its status. */
export type AnyErrorCode = ErrorCode | ClientErrorCode | (string & {});

/** The place from which an iteration continues: pass it as `resumeFrom`. */
export type ResumeFrom = ({ readonly page: number } | { readonly cursor: string | null }) & {
  /** For ranges of days: the first day of the window. */
  readonly from?: string;
};

export interface ErrorDetails {
  readonly code: AnyErrorCode;
  readonly message: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly docUrl?: string | null;
  /** Default: false. */
  readonly retryable?: boolean;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** The call that failed. */
export interface FailedCall {
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
}

/** The error of every failed call. Branch on `code`, never on `message`. Holds no API key. */
export class BrandportError extends Error {
  override readonly name: string = 'BrandportError';
  readonly code: AnyErrorCode;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** The page of the reference about this code, if the service sends one. */
  readonly docUrl: string | null;
  /** Returns true if the same call may succeed later. The SDK has already retried. */
  readonly retryable: boolean;
  /** The parsed body of the response, with fields that this version of the SDK does not know. */
  readonly body: unknown;
  /** The id of the operation in the OpenAPI document. */
  operation: string | null = null;
  /** The key that was sent: a later call with the same key and body has no second effect for 24 hours. */
  idempotencyKey: string | null = null;
  /** The number of requests that were sent. */
  attempts = 0;
  /** For iterations: the page that failed. */
  resumeFrom: ResumeFrom | null = null;

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.docUrl = details.docUrl ?? null;
    this.retryable = details.retryable ?? false;
    this.body = details.body;
  }

  /** Adds the call to the error and returns it. */
  during({ operation, idempotencyKey, attempts }: FailedCall): this {
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
    return this;
  }
}
