import { isInternal } from '../../api/access.ts';
import { type DescribedOperation, idempotencyRuleOf } from '../../api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';

type Json = Record<string, unknown>;

const headers = {
  'X-Request-Id': {
    description: 'Your own `X-Request-Id`, or a generated one. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string' },
    example: '0f7c1a52-6a0e-4f0c-9a53-3f1d2d0b7c11',
  },
  'X-RateLimit-Limit': {
    description:
      'Requests per minute of the limit that has the fewest requests left. Absent if the request is not limited.',
    schema: { type: 'integer' },
    example: 300,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that limit.',
    schema: { type: 'integer' },
    example: 299,
  },
  'X-RateLimit-Reset': {
    description: 'When that limit resets, in seconds since the Unix epoch.',
    schema: { type: 'integer' },
    example: 1772354460,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  RetryAfterInFlight: {
    description: 'With `idempotency_conflict`: seconds to wait before the same request is sent again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The required authentication scheme.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  ETag: {
    description:
      'Send it as `If-None-Match` with your next request to the same URL. Opaque, and specific to the key’s scopes. Weak (`W/"…"`) if you accept a content coding; both forms can be sent.',
    required: true,
    schema: { type: 'string' },
    example: '"k0DmiLXTdv4YQ1nTTuz6Vg"',
  },
  'X-Ignored': {
    description:
      'Present if the request has unknown fields or query parameters, or a condition that this write does not take, such as `header.if-match`: their names, at most 20, each up to 64 characters, percent-encoded outside of visible ASCII.',
    schema: { type: 'string' },
    example: 'body.location_code, query.updatedSince',
  },
  'Preference-Applied': {
    description: 'Present if the request has `Prefer: handling=strict`.',
    schema: { type: 'string', const: 'handling=strict' },
    example: 'handling=strict',
  },
  'Idempotency-Replayed': {
    description: 'Present if this is the recorded response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
};

type HeaderName = keyof typeof headers;

export function headerComponents(operations: readonly DescribedOperation[]): Json {
  const isLimited = operations.some(({ access }) => !isInternal(access));
  const isConditional = operations.some(isConditionalRead);
  const isIdempotent = operations.some((operation) => idempotencyRuleOf(operation) !== 'ignored');
  const used = Object.entries(headers).filter(
    ([name]) =>
      (isLimited || !name.startsWith('X-RateLimit-')) &&
      (isIdempotent || !['Idempotency-Replayed', 'RetryAfterInFlight'].includes(name)) &&
      (isConditional || name !== 'ETag'),
  );
  return Object.fromEntries(used);
}

export function isConditionalRead(operation: DescribedOperation): boolean {
  return operation.kind === 'read' && operation.currentVersion !== undefined;
}

/** Returns the headers of every response of an operation, which depend on its listener. */
export function listenerHeadersOf({ access }: DescribedOperation): HeaderName[] {
  const own: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  return ['X-Request-Id', ...(isInternal(access) ? [] : own)];
}

const statusesWithoutReport = [400, 401, 403, 405, 408, 413, 415, 429];

/** Returns the headers about unknown names, which are on every response to a request whose query and body were validated. */
export function unknownNameHeadersOf(status: number): HeaderName[] {
  return statusesWithoutReport.includes(status) ? [] : ['X-Ignored', 'Preference-Applied'];
}

export function errorHeadersOf(codes: readonly ErrorCode[]): HeaderName[] {
  const statuses = codes.map((code): number => errorCatalogue[code].status);
  return [
    ...unknownNameHeadersOf(statuses[0] ?? 500),
    ...(statuses.includes(401) ? (['WWW-Authenticate'] as const) : []),
    ...(codes.includes('idempotency_conflict') ? (['RetryAfterInFlight'] as const) : []),
    ...(statuses.includes(429) || statuses.includes(503) ? (['Retry-After'] as const) : []),
  ];
}

export function headerRefs(names: readonly HeaderName[]): Json {
  const nameOf = (name: HeaderName) => (name === 'RetryAfterInFlight' ? 'Retry-After' : name);
  return Object.fromEntries(names.map((name) => [nameOf(name), { $ref: `#/components/headers/${name}` }]));
}
