/**
 * The closed list of error codes. The guides' pages of errors and the error part of the OpenAPI document are made from it,
 * so every code that Brandport sends is documented. Codes are stable [platform-16] [D44].
 */
export interface ErrorEntry {
  readonly status: number;
  /** The default text, for humans only. */
  readonly message: string;
  /** Why the request failed. */
  readonly cause: string;
  /** The change that the integrator makes. */
  readonly fix: string;
  /** A sentence that says if the same request can be retried, and with what effect. */
  readonly retry: string;
}

const neverHelps = 'No. The same request fails the same way. Nothing was changed.';

export const errorCatalogue = {
  idempotency_key_required: {
    status: 400,
    message: 'This endpoint requires an Idempotency-Key header.',
    cause:
      'The endpoint creates a resource or changes stock, and the request has no `Idempotency-Key` header.',
    fix: 'Generate one key per operation (a UUID, or the job id in your own system) and send it with every attempt.',
    retry: 'Yes, with the header added. Nothing was changed.',
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor is not valid for this request.',
    cause:
      'The cursor was modified, is older than 24 hours, belongs to another brand, or was issued for a different window or filter.',
    fix: 'Restart from the first page without `cursor`, and keep the window and all filters the same for every page.',
    retry: neverHelps,
  },
  unauthenticated: {
    status: 401,
    message: 'A valid API key is required.',
    cause:
      'The `Authorization` header is missing, repeated or malformed, or the key is unknown, expired or revoked. The response does not say which.',
    fix: 'Send `Authorization: Bearer <API_KEY>` once, with an active key issued by an administrator.',
    retry: 'No, not with the same key. Nothing was changed.',
  },
  insufficient_scope: {
    status: 403,
    message: 'The API key does not have the required scope.',
    cause: 'The key is valid, but has none of the scopes that this endpoint accepts. The message lists them.',
    fix: 'Ask the administrator for a key with the scope. No scope can be added to an issued key.',
    retry: neverHelps,
  },
  forbidden: {
    status: 403,
    message: 'The caller may not do this.',
    cause:
      'The caller is known, but its role does not permit the request; or a browser tries to sign in over plain http, or from a page of another site. The message says which. Internal surface only.',
    fix: 'Use a token of a role that permits it, or open the console over https.',
    retry: neverHelps,
  },
  not_found: {
    status: 404,
    message: 'The resource does not exist.',
    cause:
      'The path does not exist, or the key’s brand has no such resource. A resource of another brand returns the same response.',
    fix: 'Check the path, the id, and that the key belongs to the brand that owns the resource.',
    retry: neverHelps,
  },
  method_not_allowed: {
    status: 405,
    message: 'The method is not allowed on this path.',
    cause: 'The path exists, but not with this method.',
    fix: 'Use one of the methods in the `Allow` header.',
    retry: neverHelps,
  },
  duplicate_sku: {
    status: 409,
    message: 'The SKU is already in use.',
    cause:
      'Another product or variant of the brand has this SKU. Deleted variants keep their SKU. `conflict` identifies the owner if the key has `catalog.products:read`.',
    fix: 'Update the resource that owns the SKU, or choose another SKU.',
    retry: neverHelps,
  },
  duplicate_axis_code: {
    status: 409,
    message: 'The axis code is already in use.',
    cause: 'The brand already has an axis with this code.',
    fix: 'Use the existing axis, or choose another code.',
    retry: neverHelps,
  },
  duplicate_axis_value: {
    status: 409,
    message: 'The axis already has this value.',
    cause: 'The axis already has a value with this name.',
    fix: 'Use the existing value, or choose another one.',
    retry: neverHelps,
  },
  axis_in_use: {
    status: 409,
    message: 'The axis is in use.',
    cause: 'The axis is attached to a product, or a live variant uses one of its values.',
    fix: 'Delete the variants that use it, then detach it from its products.',
    retry: 'Yes, once the axis is no longer in use. Nothing was changed.',
  },
  value_in_use: {
    status: 409,
    message: 'The axis value is in use.',
    cause: 'A product selects the value, or a live variant uses it.',
    fix: 'Delete the variants that use it, then remove it from the products’ selections.',
    retry: 'Yes, once the value is no longer in use. Nothing was changed.',
  },
  conflict: {
    status: 409,
    message: 'The request conflicts with an existing resource.',
    cause:
      'A variant with this axis combination exists, a generated SKU is in use, the stock location exists, or the key to rotate is revoked. The message says which.',
    fix: 'Read the current state, and send only what is missing.',
    retry:
      'Yes, after a concurrent change during generation. Otherwise the same request fails the same way. Nothing was changed.',
  },
  stock_version_conflict: {
    status: 409,
    message: 'The stock level does not match expected_quantity.',
    cause: 'The stock changed after you read it. `current_quantity` is the current quantity.',
    fix: 'Recompute the quantity from `current_quantity` and send a new request with a new Idempotency-Key.',
    retry: 'Only with a new `expected_quantity`. Nothing was changed.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since you read it.',
    cause: 'The `ETag` of the resource is not one that `If-Match` names: somebody has changed it.',
    fix: 'Read the resource again, decide with its current values, and send the change with the new `ETag`.',
    retry: 'Only with the current `ETag`. Nothing was changed.',
  },
  rejected_stale: {
    status: 409,
    message: 'The stock level has a later timestamp.',
    cause:
      'A feed set the level with an `updated_at` that is ahead of the server’s clock. `source_updated_at` is that time: until then the level is closed for earlier ones.',
    fix: 'Correct the clock of the feed’s source. Until `source_updated_at`, only a feed line that is dated as late sets the level.',
    retry: 'Yes, once the level’s `source_updated_at` is in the past. Nothing was changed.',
  },
  idempotency_key_reuse: {
    status: 409,
    message: 'The Idempotency-Key was used for a different request.',
    cause: 'The key was used within the last 24 hours with a different body, method or path.',
    fix: 'Generate a new key for each operation. Retries must send exactly the same bytes.',
    retry: neverHelps,
  },
  idempotency_conflict: {
    status: 409,
    message: 'A request with this Idempotency-Key is in progress.',
    cause: 'The first request with this key has not finished.',
    fix: 'Wait as long as `Retry-After` says, then send the same request again.',
    retry:
      'Yes, with the same key: it returns the response of the first request, or runs if the first one failed.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than this operation takes.',
    cause:
      'The body is larger than the limit that the message names: 1 MiB, 8 MiB for a directory and for learning events as JSON, 32 MiB for a stock feed, 64 MiB for learning events as NDJSON.',
    fix: 'Split the data into several requests.',
    retry: neverHelps,
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time.',
    cause:
      'The headers took more than 30 seconds, no body data arrived for 30 seconds, or the body arrived at less than 16 KiB per second for more than 5 minutes.',
    fix: 'Send the request without pauses. On a slow connection, compress or split a large body.',
    retry:
      'Yes, on a new connection, with the same Idempotency-Key. Nothing was changed, except that learning events stored before the timeout are kept.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be application/json.',
    cause: 'The endpoint does not support the `Content-Type`, its `charset` or the `Content-Encoding`.',
    fix: 'Send `Content-Type: application/json`, without a `charset` or with `utf-8`. Use gzip only for stock feeds and learning events.',
    retry: neverHelps,
  },
  validation_failed: {
    status: 422,
    message: 'The request is not valid.',
    cause:
      'The body, the query or a header is not valid, or contains an unknown name under `Prefer: handling=strict`. `errors` maps up to 100 fields to their messages.',
    fix: 'Correct the fields listed in `errors`.',
    retry: neverHelps,
  },
  no_axes_selected: {
    status: 422,
    message: 'The product has no axis selection.',
    cause: 'Variants can only be generated for a product that selects at least one axis.',
    fix: 'Set the selection with `PUT /products/{tuId}/axes` first.',
    retry: neverHelps,
  },
  variant_cap_exceeded: {
    status: 422,
    message: 'The selection has more than 500 combinations.',
    cause: 'Combining the selected values gives more than 500 variants. The message states the count.',
    fix: 'Select fewer values, or create the variants individually.',
    retry: neverHelps,
  },
  date_range_too_large: {
    status: 422,
    message: 'The window is too long.',
    cause:
      'The window from `from` to `to` (inclusive) is longer than 366 days (metrics/daily) or 92 days (all others).',
    fix: 'Split the window into several requests.',
    retry: neverHelps,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    cause:
      'The key, the brand or the client address has used up its rate limit. `X-RateLimit-Reset` says when it resets.',
    fix: 'Wait `Retry-After` seconds, and use `X-RateLimit-Remaining` to pace requests.',
    retry: 'Yes, after `Retry-After` seconds, with the same Idempotency-Key. Nothing was changed.',
  },
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP.',
    cause:
      'The request line, a header or the framing of the body is not valid HTTP: for example a missing `Host`, a repeated header that must be unique, more than 256 header lines or 16 KiB of headers, a `Transfer-Encoding` other than `chunked`, `CONNECT`, or a truncated body. The message names the cause if the server can tell. An `Expect` other than `100-continue` returns this code with status 417.',
    fix: 'Send the request with a standard HTTP client library.',
    retry: neverHelps,
  },
  server_error: {
    status: 500,
    message: 'Something went wrong on our side.',
    cause:
      'An unexpected error in the server. The `X-Request-Id` of the response identifies it in the server’s log.',
    fix: 'Report the request id. No change is needed on your side.',
    retry: 'Yes, with the same Idempotency-Key: the operation is then performed exactly once.',
  },
  service_unavailable: {
    status: 503,
    message: 'The database is temporarily unavailable.',
    cause:
      'The main database is unreachable, overloaded, read-only or out of disk space, or the memory for request bodies is full: the brand’s share or the server’s, as the message says.',
    fix: 'No change is needed on your side.',
    retry:
      'Yes, after `Retry-After` seconds, with the same Idempotency-Key: the operation is then performed exactly once.',
  },
  analytics_unavailable: {
    status: 503,
    message: 'The analytics store is temporarily unavailable.',
    cause: 'The analytics store is unreachable. The catalog is not affected.',
    fix: 'No change is needed on your side.',
    retry: 'Yes, after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
