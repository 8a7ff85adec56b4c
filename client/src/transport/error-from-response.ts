import { BrandportError, type ErrorDetails } from '../errors/brandport-error.ts';
import {
  DuplicateSku,
  RateLimited,
  RejectedStale,
  type SkuOwner,
  StockVersionConflict,
  ValidationFailed,
} from '../errors/error-classes.ts';
import type { ReceivedResponse } from './received-response.ts';
import { isRetryableResponse, retryAfterMs } from './retry-policy.ts';

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

/** Returns the error that a response with another status than 2xx describes. @param baseUrl the address of the service */
export function errorFromResponse(response: ReceivedResponse, baseUrl: string): BrandportError {
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
  if (envelope === null) return unexpectedResponse(response, { retryable });
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
