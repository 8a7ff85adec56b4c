import { isInternal, isOpen } from '../../api/access.ts';
import { type DescribedOperation, idempotencyRuleOf } from '../../api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';

export function errorCodesOf(operation: DescribedOperation): ErrorCode[] {
  const { access } = operation;
  const byKey = !isInternal(access);
  const idempotency = idempotencyRuleOf(operation);
  const codes: ErrorCode[] = ['bad_request', 'unauthenticated', 'server_error', 'service_unavailable'];
  // Every operation refuses unknown names under strict handling.
  codes.push('validation_failed');
  if (byKey) codes.push('rate_limited');
  if (byKey && access.length > 0) codes.push('insufficient_scope');
  if (isInternal(access) && !isOpen(access) && access !== 'signed-in') codes.push('forbidden');
  if (isInternal(access) && !isOpen(access)) codes.push('rate_limited');
  if (operation.params !== undefined) codes.push('not_found');
  // A body is read wherever the method may have one, also where the operation takes none [D73].
  if (operation.method !== 'GET')
    codes.push('payload_too_large', 'unsupported_media_type', 'request_timeout');
  if (idempotency !== 'ignored') codes.push('idempotency_key_reuse', 'idempotency_conflict');
  if (idempotency === 'required') codes.push('idempotency_key_required');
  return [...new Set([...codes, ...(operation.errors ?? [])])];
}

/** Error codes for requests that reach no operation, and when each applies. */
export const generalCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request: 'Requests that are not valid HTTP, on any path.',
  not_found: 'Requests to a path that does not exist. No key is needed.',
  method_not_allowed: 'Requests to an existing path with an unsupported method.',
  request_timeout: 'Requests whose headers do not arrive in time.',
  rate_limited: 'Requests from a client address that has sent too many requests without a valid key.',
};

/**
 * Returns the error responses of an operation as pairs of status and codes: those of the catalogue, plus 417 for `bad_request` on
 * an unsupported expectation [platform-73].
 */
export function errorStatusesOf(operation: DescribedOperation): [number, readonly ErrorCode[]][] {
  const statuses: [number, readonly ErrorCode[]][] = [
    ...codesByStatus(errorCodesOf(operation)),
    [417, ['bad_request']],
  ];
  return statuses.sort(([a], [b]) => a - b);
}

export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const all = Object.keys(errorCatalogue) as ErrorCode[];
  const byStatus = Map.groupBy(
    all.filter((code) => codes.includes(code)),
    (code): number => errorCatalogue[code].status,
  );
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
