import type { AnyOperation } from '../../api/operation.ts';
import type { ErrorCode } from '../../errors/error-catalogue.ts';
import { errorCatalogue } from '../../errors/error-catalogue.ts';
import { codesByStatus, errorCodesOf, generalCodes } from './error-codes.ts';

/** What an integrator reads before the operations; Markdown, one heading for each subject. */
export function clientIntroduction(operations: readonly AnyOperation[]): string {
  return `Machine-to-machine access to a brand's catalog and learning analytics, for the systems of its back office. All bodies are JSON.

## Keys

Send \`Authorization: Bearer <API_KEY>\` with every request. An administrator issues the keys. A key belongs to one
brand, and everything is looked up inside of that brand: what another brand owns answers 404, as if it did not exist. Each
operation names the scope that it needs.

## Retries

Send an \`Idempotency-Key\` with every write that takes one, and the same key with every try of that write. It then
happens once: a retry gets the first answer again, byte for byte, with \`Idempotency-Replayed: true\`. A write
that answered with 400 to 499 changed nothing and leaves its key free; after a 500, a 503 or no answer at all, send it
again with the same key. A key stands for one method, path and body for 24 hours. Rotating
the API key changes nothing of this: its successor continues the same Idempotency-Keys.

## Lists

Lists answer \`{ data, meta }\` and take \`page\`, from 1, and \`per_page\`, 50 by default; more than 200 is taken as 200. A page
after the last one is empty.

The longer lists of analytics are walked by \`cursor\` instead: send \`meta.next_cursor\` back as it is, with the same window and
filters, until it is null. A page may be empty before that. A cursor is good for 24 hours.

To follow changes, poll \`updated_since\` with the last \`updated_at\` that you saw, sorted by \`updated_at\`. It follows the order
in which changes were committed, so nothing is missed, whoever else is writing.

A product and the product list carry an \`ETag\`. Keep what you were answered, and send its tag as \`If-None-Match\` with the next
request of the same URL: 304 without a body says that nothing has changed. It counts as a request.

## Compression

Send \`Accept-Encoding: br\` or \`gzip\`: responses above 1 KiB are compressed. The \`ETag\` then has the weak form \`W/"…"\`; both forms
work in \`If-None-Match\`.

## Limits

A key may read 300 times and write 60 times a minute; all keys of a brand together may send 600 requests a minute. Analytics counts
apart from that: 120 a minute for a key, 240 for a brand. The operator can set other figures. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` speak of the bucket that
has the fewest requests left. On 429 wait \`Retry-After\` seconds. Requests without a valid key count for the address that
they come from.

## Values

Timestamps are UTC with milliseconds and \`Z\`; those that you send need an offset or \`Z\`. Money is a JSON number with at most
4 decimal places. Texts are any Unicode but U+0000 and unpaired surrogates, and come back as they were sent; lengths count
code points. In queries a boolean is \`true\`, \`false\`, \`1\` or \`0\`.

## Unknown names

Query parameters and fields of a body that are not described here are ignored, and the response lists them:
\`X-Ignored: body.location_code, query.updatedSince\`. Look for that header while you build an integration, or send
\`Prefer: handling=strict\`: each of them is then a 422 at its name, with the nearest known name in the message, and nothing is
changed. Of a feed the names are those of the first 1,000 lines.

## Methods

Every path of the catalog that answers GET answers HEAD as well. Any other method that a path does not have is 405
\`method_not_allowed\`, and the \`Allow\` header lists those that it has. An unknown path is 404. Neither needs a key.

## Errors

An error is \`{ code, message }\`, and on \`validation_failed\` also \`errors\`, the messages by field. Branch on \`code\`; the
message is for people and may change. Send your own \`X-Request-Id\` (up to 128 characters of \`A-Z a-z 0-9 . _ -\`) or
note the one that comes back: it finds the request in the operator's log.

${errorList(operations)}

## Generated clients

Every error response names the codes that it can have, one schema each, so that a \`switch\` on \`code\` narrows in generated types:
under \`stock_version_conflict\` there is \`current_quantity\`, under \`validation_failed\` there is \`errors\`. All of them are an \`ApiError\`, whose
\`code\` may also be one that was added after you generated your client: keep a \`default\` branch. A client that validates responses
validates errors against \`ApiError\`.

The examples of this document work on the demonstration brand of a first start.

## Changes

Changes to this version are additive: ignore fields that you do not know, and treat an unknown \`code\` by its HTTP status.`;
}

/**
 * Every code that the client API answers, with what to do and whether the same request may be sent again. A list,
 * because the reference has a narrow column for it.
 */
function errorList(operations: readonly AnyOperation[]): string {
  const codes = [...operations.flatMap(errorCodesOf), ...(Object.keys(generalCodes) as ErrorCode[])];
  const entries = [...codesByStatus(codes)].flatMap(([status, ofStatus]) =>
    ofStatus.map((code) => {
      const { fix, retry } = errorCatalogue[code];
      return `- ${status} \`${code}\`: ${fix} *Send it again?* ${retry}`;
    }),
  );
  return entries.join('\n');
}
