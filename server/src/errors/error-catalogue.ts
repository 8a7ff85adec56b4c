/**
 * The closed list of error codes that Brandport answers. `docs/errors.md` and the error part of the OpenAPI document
 * are made from it, so a code that is not here cannot be sent, and one that is here is documented.
 * Codes are stable [platform-16] [D7].
 */
export interface ErrorEntry {
  readonly status: number;
  /** The default human text; never branched on. */
  readonly message: string;
  /** What brought the request here. */
  readonly cause: string;
  /** What the integrator changes. */
  readonly fix: string;
  /** Whether the same request may be sent again, and what that does. */
  readonly retry: string;
}

const neverHelps = 'No: the same request gets the same answer. Nothing was changed.';

export const errorCatalogue = {
  idempotency_key_required: {
    status: 400,
    message: 'This endpoint needs an Idempotency-Key header.',
    cause:
      'The endpoint creates something or moves stock, and the request came without an `Idempotency-Key` header.',
    fix: 'Make one key for each operation (a UUID, or the id of the job in your own system) and send it with every try.',
    retry: 'With the header added, yes. Nothing was changed.',
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor is not valid for this request.',
    cause:
      'The cursor was altered, is older than 24 hours, belongs to another brand, or is used with another window or filter.',
    fix: 'Start the walk again without `cursor`, and keep the window and every filter the same from page to page.',
    retry: neverHelps,
  },
  unauthenticated: {
    status: 401,
    message: 'A valid API key is required.',
    cause:
      'The `Authorization` header is missing, repeated or malformed, or the key is unknown, expired or revoked. The answer does not tell which.',
    fix: 'Send `Authorization: Bearer <API_KEY>` once, with a key that an administrator has issued and not revoked.',
    retry: 'Not with the same key. Nothing was changed.',
  },
  insufficient_scope: {
    status: 403,
    message: 'The API key lacks the scope that this endpoint needs.',
    cause:
      'The key is valid, but none of its scopes opens this endpoint. The message names the accepted ones.',
    fix: 'Ask the administrator for a key that holds the scope; scopes of an issued key do not change.',
    retry: neverHelps,
  },
  not_found: {
    status: 404,
    message: 'The resource does not exist.',
    cause:
      'No such path, or no such resource in the brand of this key. A resource of another brand answers the same bytes.',
    fix: 'Check the path, the id, and that the key belongs to the brand that owns the resource.',
    retry: neverHelps,
  },
  method_not_allowed: {
    status: 405,
    message: 'The method is not allowed on this path.',
    cause: 'The path exists, but not with this method.',
    fix: 'Use one of the methods that the `Allow` header lists.',
    retry: neverHelps,
  },
  duplicate_sku: {
    status: 409,
    message: 'The SKU is taken.',
    cause:
      'Another product or variant of the brand has this SKU. A deleted variant keeps its own. `conflict` says which one, where the key may read products.',
    fix: 'Update the resource that has the SKU, or choose another SKU.',
    retry: neverHelps,
  },
  duplicate_axis_code: {
    status: 409,
    message: 'The axis code is taken.',
    cause: 'The brand already has an axis with this code.',
    fix: 'Use the axis that exists, or choose another code.',
    retry: neverHelps,
  },
  duplicate_axis_value: {
    status: 409,
    message: 'The axis already has this value.',
    cause: 'The axis already has a value of this name.',
    fix: 'Use the value that exists, or choose another one.',
    retry: neverHelps,
  },
  axis_in_use: {
    status: 409,
    message: 'The axis is in use.',
    cause: 'The axis is attached to a product, or a live variant carries one of its values.',
    fix: 'Delete the variants that carry it and detach it from its products first.',
    retry: 'Once the axis is free, yes. Nothing was changed.',
  },
  value_in_use: {
    status: 409,
    message: 'The axis value is in use.',
    cause: 'A product selects the value, or a live variant carries it.',
    fix: 'Delete the variants that carry it and take it out of the products’ selections first.',
    retry: 'Once the value is free, yes. Nothing was changed.',
  },
  conflict: {
    status: 409,
    message: 'The request conflicts with what exists.',
    cause:
      'The variant’s axis combination exists, a generated SKU is taken, the stock location exists, or a revoked key was to be rotated. The message says which.',
    fix: 'Read the present state, and send what is still missing.',
    retry: 'After a race during generation, yes; otherwise the same answer comes again. Nothing was changed.',
  },
  stock_version_conflict: {
    status: 409,
    message: 'The stock level is not what expected_quantity says.',
    cause: 'Somebody moved the stock since you read it. `current_quantity` carries the present figure.',
    fix: 'Work out the new figure from `current_quantity` and send it as a new operation with a new Idempotency-Key.',
    retry: 'Only with a new `expected_quantity`. Nothing was changed.',
  },
  rejected_stale: {
    status: 409,
    message: 'The stock level carries a later timestamp.',
    cause: 'A feed has set the level with an `updated_at` that lies ahead of the server’s clock.',
    fix: 'Correct the clock of the feed’s source, then send a feed with a present timestamp.',
    retry: 'Once the level’s `source_updated_at` has passed, yes. Nothing was changed.',
  },
  idempotency_key_reuse: {
    status: 409,
    message: 'The Idempotency-Key was used for another request.',
    cause: 'The key has settled within the last 24 hours with another body, method or path.',
    fix: 'Make a new key for each new operation; send a retry with exactly the bytes of the first try.',
    retry: neverHelps,
  },
  idempotency_conflict: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running.',
    cause: 'The first request with this key has not ended yet.',
    fix: 'Wait a moment and send the same request again.',
    retry: 'Yes, with the same key: it answers the outcome of the first request, or runs if that one failed.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large.',
    cause: 'The body is over 1 MiB, or over 64 MiB for stock feeds and learning events.',
    fix: 'Send less in one request.',
    retry: neverHelps,
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time.',
    cause:
      'The headers took more than 30 seconds, the body stood still for 30 seconds, or it came at less than 16 KiB a second for more than 5 minutes.',
    fix: 'Send the request without pauses; compress or split a large body on a slow line.',
    retry:
      'Yes, on a new connection, with the same Idempotency-Key. Nothing was changed, except that batches of learning events that were stored before stay stored.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be application/json.',
    cause:
      'The `Content-Type` is not one that the endpoint reads, or the `Content-Encoding` is not one that it decodes.',
    fix: 'Send `Content-Type: application/json`, and gzip only for stock feeds and learning events.',
    retry: neverHelps,
  },
  validation_failed: {
    status: 422,
    message: 'The request is not valid.',
    cause:
      'The body, the query or a header breaks a rule, or names what the operation does not know under `Prefer: handling=strict`. `errors` maps each field to its messages, at most 100 fields.',
    fix: 'Correct the fields that `errors` names.',
    retry: neverHelps,
  },
  no_axes_selected: {
    status: 422,
    message: 'The product has no axis selection.',
    cause: 'Variants were to be generated for a product that selects no axes.',
    fix: 'Set the selection with `PUT /products/{tuId}/axes` first.',
    retry: neverHelps,
  },
  variant_cap_exceeded: {
    status: 422,
    message: 'The selection gives more than 500 combinations.',
    cause: 'The product of the selected values is above 500. The message states the count.',
    fix: 'Select fewer values, or create the variants that you need one by one.',
    retry: neverHelps,
  },
  date_range_too_large: {
    status: 422,
    message: 'The window is too long.',
    cause:
      'The inclusive window of `from` and `to` is over 366 days (metrics/daily) or 92 days (the others).',
    fix: 'Pull in slices.',
    retry: neverHelps,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    cause:
      'A bucket of the key, the brand or the client address is empty. `X-RateLimit-Reset` says when it fills.',
    fix: 'Wait for `Retry-After` seconds, and pace requests by `X-RateLimit-Remaining`.',
    retry: 'Yes, after `Retry-After` seconds, with the same Idempotency-Key. Nothing was changed.',
  },
  bad_request: {
    status: 400,
    message: 'The request is not readable as HTTP.',
    cause:
      'The request line, a header or the body’s framing breaks the protocol: no `Host`, a header twice that may stand once, over 256 header lines or 16 KiB of them, a `Transfer-Encoding` other than `chunked`, `CONNECT`, a body that broke off. The message says which. An `Expect` other than `100-continue` has this code with status 417.',
    fix: 'Use an HTTP library as it comes.',
    retry: neverHelps,
  },
  server_error: {
    status: 500,
    message: 'Something went wrong on our side.',
    cause:
      'A defect, or a fault that was not foreseen. The `X-Request-Id` of the response finds it in the server’s log.',
    fix: 'Nothing on your side; report the request id.',
    retry: 'Yes, with the same Idempotency-Key: what was not acknowledged is then done once.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service cannot reach its database right now.',
    cause:
      'The main database is away, overloaded, read-only or out of disk space, or the server holds as many request bodies as it can.',
    fix: 'Nothing on your side.',
    retry:
      'Yes, after `Retry-After` seconds, with the same Idempotency-Key: what was not acknowledged is then done once.',
  },
  analytics_unavailable: {
    status: 503,
    message: 'The analytics store cannot be reached right now.',
    cause: 'The analytics store is away. The catalog is not affected.',
    fix: 'Nothing on your side.',
    retry: 'Yes, after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
