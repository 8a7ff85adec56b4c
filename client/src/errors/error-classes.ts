import { type AnyErrorCode, BrandportError, type ErrorDetails } from './brandport-error.ts';

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
