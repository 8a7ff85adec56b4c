import type { AnyOperation } from '../../api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';

/** Every code that an operation can answer: what its kind brings with it, and what it declares itself. */
export function errorCodesOf(operation: AnyOperation): ErrorCode[] {
  const byKey = operation.access !== 'admin';
  const isIdempotent = byKey && operation.kind === 'write' && operation.idempotency !== 'ignored';
  const codes: ErrorCode[] = ['bad_request', 'unauthenticated', 'server_error', 'service_unavailable'];
  // Every operation refuses unknown names under strict handling.
  codes.push('validation_failed');
  if (byKey) codes.push('rate_limited');
  if (byKey && operation.access.length > 0) codes.push('insufficient_scope');
  if (operation.params !== undefined) codes.push('not_found');
  // A body is read wherever the method may have one, also where the operation takes none [D73].
  if (operation.method !== 'GET')
    codes.push('payload_too_large', 'unsupported_media_type', 'request_timeout');
  if (isIdempotent) {
    codes.push('idempotency_key_reuse', 'idempotency_conflict');
    if (operation.idempotency === 'required') codes.push('idempotency_key_required');
  }
  return [...new Set([...codes, ...(operation.errors ?? [])])];
}

/** The codes that requests get which reach no operation, and when. */
export const generalCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request: 'What cannot be read as an HTTP request, whatever it asks for.',
  not_found: 'Every path that does not exist; no key is needed to learn that.',
  method_not_allowed: 'Every path that exists, with a method that it does not have.',
  request_timeout: 'Every request whose headers do not arrive in time.',
  rate_limited: 'Every request of a client address that has sent too many without a valid key.',
};

/**
 * The error responses of an operation: status, codes. By the catalogue, and 417, where `bad_request` stands for an
 * expectation that is not met [platform-73].
 */
export function errorStatusesOf(operation: AnyOperation): [number, readonly ErrorCode[]][] {
  const statuses: [number, readonly ErrorCode[]][] = [
    ...codesByStatus(errorCodesOf(operation)),
    [417, ['bad_request']],
  ];
  return statuses.sort(([a], [b]) => a - b);
}

/** The codes by their HTTP status, statuses ascending, codes in the order of the catalogue. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const all = Object.keys(errorCatalogue) as ErrorCode[];
  const byStatus = Map.groupBy(
    all.filter((code) => codes.includes(code)),
    (code): number => errorCatalogue[code].status,
  );
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
