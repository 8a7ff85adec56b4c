import { type AnyErrorCode, BrandportError } from './brandport-error.ts';
import type {
  ConnectionFailed,
  DeadlineExceeded,
  DuplicateSku,
  RateLimited,
  StockVersionConflict,
  ValidationFailed,
} from './error-classes.ts';

interface ErrorsByCode {
  readonly rate_limited: RateLimited;
  readonly validation_failed: ValidationFailed;
  readonly duplicate_sku: DuplicateSku;
  readonly stock_version_conflict: StockVersionConflict;
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
