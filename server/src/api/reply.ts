import type { Static, TSchema } from 'typebox';
import { jsonText } from '../lib/json-text.ts';
import { takeTurn } from '../lib/loop-turns.ts';
import type { Owner } from '../lib/semaphore.ts';

interface ResponseDescription {
  readonly description: string;
  readonly schema?: TSchema;
  readonly example?: unknown;
  /** The media type of a body that is streamed as text, such as `text/csv`; absent: the body is JSON. */
  readonly mediaType?: string;
  /** The headers of this response, by name: each an OpenAPI header object. */
  readonly headers?: Readonly<Record<string, object>>;
}

/** The `ETag` of responses with a resource that `If-Match` can name, as the reference describes it. */
export const tagHeaders = {
  ETag: {
    description:
      'Send it as `If-Match` with a change of the resource. Weak (`W/"…"`) in a compressed response.',
    required: true,
    schema: { type: 'string' },
    example: '"k0DmiLXTdv4YQ1nTTuz6Vg"',
  },
};

/** Keyed by status. */
export type ResponseDescriptions = Readonly<Record<number, ResponseDescription>>;

/** Any response, for code that handles all operations alike. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON; absent on a response without a body. */
  readonly body?: unknown;
  /** Sent instead of `body`, as fast as the client reads it. See `StreamedText`. */
  readonly stream?: StreamedText;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids that the log line of the request has. */
  readonly logged?: Readonly<Record<string, string>>;
  /** The version that becomes the `ETag`. Only on operations that have `currentVersion`. */
  readonly version?: ReplyVersion;
}

/** The possible replies of a handler: one of the declared statuses, with the body that its schema describes. */
export type ReplyOf<R extends ResponseDescriptions> = {
  [Status in keyof R & number]: Pick<Reply, 'headers' | 'version' | 'logged'> & {
    readonly status: Status;
  } & BodyOf<R[Status]>;
}[keyof R & number];

type BodyOf<D extends ResponseDescription> = D extends { readonly mediaType: string }
  ? { readonly stream: StreamedText }
  : D extends { readonly schema: infer S extends TSchema }
    ? { readonly body: Static<S> }
    : { readonly body?: never };

export interface SettledResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Serialises the reply of a write. In one piece, since locks are held meanwhile: it has at most some 4 MB, which take 20 ms. */
export function settle({ status, body, headers }: Reply): SettledResponse {
  return { status, headers: { ...headers }, body: body === undefined ? '' : JSON.stringify(body) };
}

/** Serialises a reply outside of a transaction, a large one in pieces, in turns of the owner [platform-97]. */
export async function settleInPieces(
  { status, body, headers }: Reply,
  owner: Owner,
): Promise<SettledResponse> {
  const text = body === undefined ? '' : await jsonText(body as object, () => takeTurn(owner));
  return { status, headers: { ...headers }, body: text };
}

export interface WriteOutcome {
  readonly response: SettledResponse;
  readonly replayed: boolean;
}

/**
 * A body that is built while it is sent. A part is requested when the client has read the parts before it, so a part may
 * wait for as long as the client does: hold no connection to the database between parts. An error closes the
 * connection before the end of the body, so the client knows that the body is incomplete.
 */
export interface StreamedText {
  readonly mediaType: string;
  /** The name under which browsers save the body; visible ASCII without quotes. */
  readonly fileName: string;
  readonly parts: AsyncIterable<string>;
}

/** Returned by a read instead of a response, if the version is the one that the request names as known. */
export const unchanged = { isUnchanged: true } as const;
export type Unchanged = typeof unchanged;

export function isUnchanged(reply: Reply | Unchanged): reply is Unchanged {
  return 'isUnchanged' in reply;
}

export interface ReplyVersion {
  /**
   * Differs between any two states of the data whose responses could differ; the same value that `currentVersion` returns.
   * Read it in the statement that reads the body, or before: an older version costs one needless response, a newer one
   * would hide a change. Path, query, brand and scopes need not be in it.
   */
  readonly state: string;
  /** The last instant, milliseconds since the Unix epoch, until which the clock leaves the body unchanged; null: forever. */
  readonly freshUntil?: number | null;
  /** False: the server does not keep the body to serve it again. */
  readonly isKept?: boolean;
}
