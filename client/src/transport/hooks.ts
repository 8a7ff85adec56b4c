import type { BrandportError } from '../errors/brandport-error.ts';

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The id of the operation in the OpenAPI document. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
  /** Milliseconds that the request waited for the limits of the service. */
  readonly pacedMs: number;
}

/** The end of a request. */
export interface ResponseEvent extends RequestEvent {
  /** null if no complete response arrived. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** A pause before the next request of a kind. */
export interface PaceEvent {
  /** The domain and `read` or `write`, such as `catalog write`. */
  readonly queue: string;
  /** Milliseconds until the limits of the service allow the next request. */
  readonly waitMs: number;
}

export interface RetryEvent extends RequestEvent {
  readonly error: BrandportError;
  readonly waitMs: number;
}

export interface PageEvent {
  readonly operation: string;
  /** Counts from 1. */
  readonly page: number;
  readonly rows: number;
}

export type WarningEvent =
  /** The service ignored these names of the request: probably misspelt. */
  | { readonly kind: 'ignored_names'; readonly operation: string; readonly names: readonly string[] }
  /** The batch id was used before with other lines: the earlier feed counts, these lines are not applied. */
  | { readonly kind: 'feed_body_differs'; readonly feedId: string; readonly batchId: string };

/** Functions that observe a client. They are called synchronously; an exception in one does not affect the call. */
export interface Hooks {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  readonly onRetry?: (event: RetryEvent) => void;
  /** Called when requests begin to wait for the limits of the service, and again when the wait changes. */
  readonly onPace?: (event: PaceEvent) => void;
  readonly onPage?: (event: PageEvent) => void;
  readonly onWarning?: (event: WarningEvent) => void;
}

/** Calls a hook. A write that succeeded must not be reported as failed because an observer threw. */
export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event);
  } catch {}
}
