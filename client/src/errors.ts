import type { ErrorCode } from './generated/wire.ts';
import { isRetryableResponse, type ReceivedResponse, retryAfterMs } from './transport/response.ts';

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

interface ErrorDetails {
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
interface FailedCall {
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

/** 429 `rate_limited`, after all retries. The message says the seconds. */
export class RateLimited extends BrandportError {
  override readonly name = 'RateLimited';
  /** Seconds until requests are accepted again. */
  readonly retryAfterSeconds: number;

  constructor(details: ErrorDetails & { readonly retryAfterSeconds: number }) {
    const { message, retryAfterSeconds: seconds } = details;
    super({ ...details, message: seconds > 0 ? `${message} Retry after ${seconds} s.` : message });
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The fields that the message of `ValidationFailed` names. */
const namedFields = 3;

function describeFields(message: string, errors: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(errors).map(([name, all]) => `${name}: ${[all].flat()[0]}`.slice(0, 200));
  const more = fields.length - namedFields;
  if (more > 0) fields.splice(namedFields, more, `and ${more} more field${more === 1 ? '' : 's'}`);
  return [message, fields.join('; ')].join(' ').trimEnd();
}

/** 422 `validation_failed`. The message names the first fields. */
export class ValidationFailed extends BrandportError {
  override readonly name = 'ValidationFailed';
  /** Messages by field; a nested field is a dotted path with indexes, such as `axes.0.code`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(details: ErrorDetails & { readonly errors: Readonly<Record<string, readonly string[]>> }) {
    super({ ...details, message: describeFields(details.message, details.errors) });
    this.errors = details.errors;
  }

  /** Returns the same error for the whole of a submission, of which the request had the lines from `first` on. */
  withLinesFrom(first: number): ValidationFailed {
    if (first === 0) return this;
    const { message } = this.body as { readonly message: string };
    const errors = Object.entries(this.errors).map(([field, messages]) => [
      field.replace(/^lines\.(\d+)/, (_, index) => `lines.${Number(index) + first}`),
      messages,
    ]);
    const whole = new ValidationFailed({ ...this, message, errors: Object.fromEntries(errors) });
    const { operation = '', idempotencyKey, attempts } = this;
    return whole.during({ operation: operation ?? '', idempotencyKey, attempts });
  }
}

/** The owner of a SKU that is taken. */
export interface SkuOwner {
  readonly kind: 'product' | 'variant' | (string & {});
  readonly tu_id: string;
  readonly is_deleted: boolean;
}

/** 409 `duplicate_sku`. */
export class DuplicateSku extends BrandportError {
  override readonly name = 'DuplicateSku';
  /** null if the key may not read products. */
  readonly conflict: SkuOwner | null;

  constructor(details: ErrorDetails & { readonly conflict: SkuOwner | null }) {
    super(details);
    this.conflict = details.conflict;
  }
}

/** 409 `stock_version_conflict`: the quantity was not the expected one. */
export class StockVersionConflict extends BrandportError {
  override readonly name = 'StockVersionConflict';
  readonly currentQuantity: number;

  constructor(details: ErrorDetails & { readonly currentQuantity: number }) {
    super(details);
    this.currentQuantity = details.currentQuantity;
  }
}

/** 409 `rejected_stale`: a newer figure holds the level. */
export class RejectedStale extends BrandportError {
  override readonly name = 'RejectedStale';
  /** The time of that figure: older ones are refused until then. */
  readonly sourceUpdatedAt: string;

  constructor(details: ErrorDetails & { readonly sourceUpdatedAt: string }) {
    super(details);
    this.sourceUpdatedAt = details.sourceUpdatedAt;
  }
}

/** No complete response arrived: `connection_failed` or `attempt_timed_out`. The effect of a write is unknown. */
export class ConnectionFailed extends BrandportError {
  override readonly name = 'ConnectionFailed';
}

/** The call's `deadlineMs` passed. `cause` is the failure of the last attempt, if there was one. */
export class DeadlineExceeded extends BrandportError {
  override readonly name = 'DeadlineExceeded';
}

interface ErrorsByCode {
  readonly rate_limited: RateLimited;
  readonly validation_failed: ValidationFailed;
  readonly duplicate_sku: DuplicateSku;
  readonly stock_version_conflict: StockVersionConflict;
  readonly rejected_stale: RejectedStale;
  readonly connection_failed: ConnectionFailed;
  readonly attempt_timed_out: ConnectionFailed;
  readonly deadline_exceeded: DeadlineExceeded;
}

/** The class of the errors with a code. */
export type ErrorWithCode<Code extends AnyErrorCode> = Code extends keyof ErrorsByCode
  ? ErrorsByCode[Code]
  : BrandportError & { readonly code: Code };

/** Returns whether a caught value is an error of the SDK, or one with the given code. */
export function isBrandportError(error: unknown): error is BrandportError;
export function isBrandportError<Code extends AnyErrorCode>(
  error: unknown,
  code: Code,
): error is ErrorWithCode<Code>;
export function isBrandportError(error: unknown, code?: AnyErrorCode): boolean {
  return error instanceof BrandportError && (code === undefined || error.code === code);
}

type Envelope = Readonly<Record<string, unknown>>;

type ErrorOf = (details: ErrorDetails, envelope: Envelope, response: ReceivedResponse) => BrandportError;

/** The codes whose errors carry more than the envelope. */
const specific: Readonly<Record<string, ErrorOf>> = {
  rate_limited: (details, _envelope, response) =>
    new RateLimited({ ...details, retryAfterSeconds: (retryAfterMs(response.headers) ?? 0) / 1000 }),
  validation_failed: (details, { errors }) =>
    new ValidationFailed({ ...details, errors: (errors ?? {}) as Record<string, readonly string[]> }),
  duplicate_sku: (details, { conflict }) =>
    new DuplicateSku({ ...details, conflict: (conflict ?? null) as SkuOwner | null }),
  stock_version_conflict: (details, { current_quantity: currentQuantity }) =>
    new StockVersionConflict({ ...details, currentQuantity: Number(currentQuantity) }),
  rejected_stale: (details, { source_updated_at: sourceUpdatedAt }) =>
    new RejectedStale({ ...details, sourceUpdatedAt: sourceUpdatedAt as string }),
};

/**
 * Returns the error that a response with another status than 2xx describes.
 * @param baseUrl the address of the service
 * @param url the address of the request
 */
export function errorFromResponse(response: ReceivedResponse, baseUrl: string, url: string): BrandportError {
  const { status, requestId } = response;
  const envelope = envelopeOf(response.json());
  const retryable = isRetryableResponse(response);
  if (envelope === null && status === 304)
    return new BrandportError({
      code: 'not_modified',
      message: 'The resource has not changed.',
      status,
      requestId,
    });
  if (envelope === null) {
    const message = redirectMessage(response, baseUrl, url);
    if (message !== null)
      return new BrandportError({
        code: 'unexpected_response',
        message,
        status,
        requestId,
        retryable: false,
      });
    return unexpectedResponse(response, { retryable });
  }
  const { code, message, doc_url: docUrl } = envelope;
  const details: ErrorDetails = {
    code: String(code),
    message: String(message),
    status,
    requestId,
    docUrl: typeof docUrl === 'string' ? absolute(docUrl, baseUrl) : null,
    retryable,
    body: envelope,
  };
  return specific[details.code]?.(details, envelope, response) ?? new BrandportError(details);
}

/** Describes a redirect, which is never followed: the key would go to another host. null: the response is none. */
function redirectMessage({ status, headers }: ReceivedResponse, baseUrl: string, url: string): string | null {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, url)) return null;
  const { origin, pathname } = new URL(location, url);
  const own = new URL(url).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length);
  if (!pathname.endsWith(own))
    return `The response ${status} leads to ${origin}${pathname}, and is not followed: check the address of the service.`;
  return `The service has moved to ${origin}${pathname.slice(0, -own.length)}: use that address.`;
}

/** Returns the error for a response that the service does not send, such as the page of a proxy. */
export function unexpectedResponse(
  { status, requestId, text }: Pick<ReceivedResponse, 'status' | 'requestId' | 'text'>,
  { retryable = false }: { readonly retryable?: boolean } = {},
): BrandportError {
  const body = text === '' ? undefined : text.slice(0, 1000);
  const message = `The response ${status} is not from the service: its body is ${body === undefined ? 'empty' : 'not as documented'}.`;
  return new BrandportError({ code: 'unexpected_response', message, status, requestId, retryable, body });
}

/** The service sends a path, which counts from its address. */
function absolute(docUrl: string, baseUrl: string): string | null {
  if (docUrl.startsWith('/')) return `${baseUrl}${docUrl}`;
  return /^https?:\/\//.test(docUrl) ? docUrl : null;
}

function envelopeOf(body: unknown): Envelope | null {
  const isEnvelope = typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
  return isEnvelope ? (body as Envelope) : null;
}
