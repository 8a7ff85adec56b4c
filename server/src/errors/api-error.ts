import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

/** Messages by field: dotted paths with indexes, `lines.3.quantity` [platform-17]. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface ApiErrorDetails {
  /** Overrides the catalogue's message. */
  readonly message?: string;
  /** Only with `validation_failed`. */
  readonly errors?: FieldErrors;
  /** Only with `insufficient_scope`: the scopes of which the key needs one, for operators. */
  readonly requiredScopes?: readonly string[];
  /** Additional keys of the body, such as `current_quantity`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the catalogue's status: 417 for `bad_request` [platform-73]. */
  readonly status?: number;
}

/** A failure that is sent to the client in the error envelope. Thrown inside a transaction, it rolls the transaction back. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ApiErrorDetails;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? errorCatalogue[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.status = details.status ?? errorCatalogue[code].status;
    this.details = details;
  }

  /** The response body: `{ code, message, errors?, ...extra }` [platform-15]. */
  toBody(): Record<string, unknown> {
    const { errors, extra } = this.details;
    return { code: this.code, message: this.message, ...(errors && { errors }), ...extra };
  }
}

export function notFound(): ApiError {
  return new ApiError('not_found');
}

const mebibyte = 1024 * 1024;

/**
 * Names the limit of the operation [platform-23].
 * @param limit in bytes
 * @param wayOut a sentence that says how to send more than that
 */
export function payloadTooLarge(limit: number, { isDecoded = false, wayOut = '' } = {}): ApiError {
  const what = isDecoded ? 'The decoded body' : 'The body';
  const size = limit % mebibyte === 0 ? `${limit / mebibyte} MiB` : `${limit} bytes`;
  return new ApiError('payload_too_large', {
    message: `${what} is larger than ${size}, which this operation takes at most.${wayOut === '' ? '' : ` ${wayOut}`}`,
  });
}

/** @param until the level's `source_updated_at` [catalog-93] */
export function rejectedStale(until: string): ApiError {
  return new ApiError('rejected_stale', {
    message: `A feed has dated the stock level ahead: it is closed for earlier times until ${until}.`,
    extra: { source_updated_at: until },
  });
}

/** A `validation_failed` for one field. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('validation_failed', { errors: { [field]: [message] } });
}
