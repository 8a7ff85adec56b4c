import type { DescribedOperation } from '../../api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';
import { clientDomains } from '../operations.ts';
import { codesByStatus, errorCodesOf, generalCodes } from './error-responses.ts';
import { type DocumentInfo, type OpenApiDocument, openApiDocument } from './openapi-document.ts';

function clientIntroduction(operations: readonly DescribedOperation[]): string {
  return `Machine-to-machine access to a brand's catalog and learning analytics, for back-office systems. All bodies are JSON.

Guides for common tasks are at [guides](guides/); search them, this reference and the error codes at [search](search).

## Keys

Send \`Authorization: Bearer <API_KEY>\` with every request. Administrators issue the keys. A key belongs to one brand
and sees only that brand's data: resources of other brands return 404. Each operation lists its required scope.

## Retries

Send an \`Idempotency-Key\` with every write that accepts one, and the same key with every attempt. The write is then
performed once: a retry returns the original response, byte for byte, with \`Idempotency-Replayed: true\`. A write that
returned a 4xx status changed nothing, and its key can be reused. After a 500, a 503 or no response, retry with the same
key. For 24 hours, a key is bound to one method, path and body. Rotating the API key does not affect retries: the
successor continues the Idempotency-Keys of its predecessor.

## Lists

Lists return \`{ data, meta }\` and accept \`page\` (starting at 1) and \`per_page\` (default 50; values above 200 are
reduced to 200). A page after the last one is empty.

The longer analytics lists use \`cursor\` instead: send \`meta.next_cursor\` back unchanged, with the same window and
filters, until it is null. A page can be empty before that. A cursor expires after 24 hours.

To follow changes, poll with \`updated_since\` set to the last \`updated_at\` that you received, sorted by \`updated_at\`. It
follows commit order, so no change is missed, even with concurrent writers.

A product, a feed report, and the lists of products, variants, stock levels and movements have an \`ETag\`. Keep the
response, and send its tag as \`If-None-Match\` with the next request to the same URL: 304 without a body means that
nothing has changed. It counts against the rate limit.

## Compression

Send \`Accept-Encoding: br\` or \`gzip\` to compress responses above 1 KiB. The \`ETag\` then has the weak form \`W/"…"\`;
\`If-None-Match\` accepts both forms.

## Limits

A key can make 300 reads and 60 writes per minute; all keys of a brand together can make 600 requests per minute.
Analytics has separate limits: 120 per minute per key, 240 per brand. The operator can configure other values.
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` describe the limit with the fewest requests left.
After a 429, wait \`Retry-After\` seconds. Requests without a valid key count against the client address.

## Values

Timestamps are UTC with milliseconds and \`Z\`; timestamps that you send need an offset or \`Z\`. Times that a source gave
(\`updated_at\` of feed lines, \`source_updated_at\`) are kept to the microsecond, and shown with six digits where they have more than three. Money is a JSON number
with at most 4 decimal places. Numbers are read as IEEE 754 doubles (RFC 8259, section 6): digits that a double cannot hold are not
seen, so \`1.00000000000000001\` is 1, also where an integer is required. The shortest text of the double counts: the result of
\`1.112 * 10\` is sent as \`11.120000000000001\` by some languages, which is refused. Round computed prices to 4 places before you send
them. Of a name that occurs twice in one object, the last value counts. Bodies are UTF-8. Strings accept any Unicode except U+0000 and unpaired surrogates, and are returned as they
were sent; lengths count code points. In queries, a boolean is \`true\`, \`false\`, \`1\` or \`0\`.

## Unknown names

Query parameters and body fields that are not documented here are ignored and listed in the response:
\`X-Ignored: body.location_code, query.updatedSince\`. Check that header while you build an integration, or send
\`Prefer: handling=strict\`: each unknown name then returns a 422 that suggests the nearest known name, and nothing is
changed. In a stock feed, only the first 1,000 lines are checked for unknown names.

## Methods

Every catalog path that supports GET also supports HEAD. Any other unsupported method returns 405
\`method_not_allowed\` with the supported methods in the \`Allow\` header. An unknown path returns 404. Neither needs a key.

## Errors

An error is \`{ code, message, doc_url }\`, and with \`validation_failed\` also \`errors\`, the messages by field. Branch on \`code\`; the
message is for humans and can change. \`doc_url\` is the path of the page about the code. Send your own \`X-Request-Id\` (up to 128 characters of \`A-Z a-z 0-9 . _ -\`) or
keep the one in the response: it identifies the request in the operator's log.

${errorList(operations)}

## Generated clients

Each error response lists its possible codes, one schema per code, so that a \`switch\` on \`code\` narrows generated types:
\`stock_version_conflict\` has \`current_quantity\`, \`rejected_stale\` \`source_updated_at\`, \`validation_failed\` has \`errors\`. Every error is also an \`ApiError\`, whose
\`code\` may be one that was added after you generated your client: keep a \`default\` branch. Clients that validate responses
should validate errors against \`ApiError\`.

The examples in this document work with the demo brand that is created on first start.

## Changes

Changes to this version are additive: ignore unknown fields, and handle an unknown \`code\` by its HTTP status.`;
}

/** Lists every code, with what to do and whether a retry can succeed. A list, because the column is narrow. */
function errorList(operations: readonly DescribedOperation[]): string {
  const codes = [...operations.flatMap(errorCodesOf), ...(Object.keys(generalCodes) as ErrorCode[])];
  const entries = [...codesByStatus(codes)].flatMap(([status, ofStatus]) =>
    ofStatus.map((code) => {
      const { fix, retry } = errorCatalogue[code];
      return `- ${status} \`${code}\`: ${fix} *Retry:* ${retry}`;
    }),
  );
  return entries.join('\n');
}

const info: DocumentInfo = {
  title: 'Brandport client API',
  version: '1.0.0',
  description: clientIntroduction(clientDomains.flatMap(({ operations }) => operations)),
  tags: [
    { name: 'Status', description: 'The API key of the request.' },
    { name: 'Products', description: 'Create, read, change and archive products.' },
    { name: 'Axes', description: 'The brand’s library of variant axes and their values.' },
    { name: 'Axis selection', description: 'The axes and values that a product’s variants are built from.' },
    { name: 'Variants', description: 'Create, generate, change and delete the variants of a product.' },
    { name: 'Stock', description: 'Stock locations, stock levels, and the ledger of stock movements.' },
    { name: 'Stock feeds', description: 'Set thousands of stock figures at once, in the background.' },
    { name: 'Analytics', description: 'Pull learning analytics, day by day.' },
  ],
  security: {
    name: 'apiKey',
    description: 'An API key, `tuk_<24 hex>.<40 characters>`, issued by an administrator.',
    format: 'tuk_<24 hex>.<40 characters>',
  },
};

/** Builds the document of the client API, which is committed and served as `server/openapi.json`. */
export const clientDocument = (): OpenApiDocument => openApiDocument(info, clientDomains);
