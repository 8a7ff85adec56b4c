import { hash } from 'node:crypto';
import { scopes } from '../api/access.ts';
import type { ReadOperation, ServiceContext } from '../api/operation.ts';
import type { KnownVersion, OperationRequest } from '../api/operation-request.ts';
import {
  isUnchanged,
  type Reply,
  type ReplyVersion,
  type SettledResponse,
  type Unchanged,
} from '../api/reply.ts';
import { parseTagList } from '../lib/entity-tags.ts';
import { jsonText } from '../lib/json-text.ts';
import { takeTurn } from '../lib/loop-turns.ts';
import type { Owner } from '../lib/semaphore.ts';
import { representationOf } from './representation.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';

interface Request extends OperationRequest<never, never, never>, KnownVersion {
  /** The header as it was sent. */
  readonly ifNoneMatch: string | undefined;
}

interface Answers {
  readonly responses: ResponseCache;
  /** Whose turns of the main thread a large response takes. */
  readonly owner: Owner;
  /** Reads the response; `known` is the version of a body that is kept. */
  readonly answer: (known: string | null) => Promise<Reply | Unchanged>;
}

/**
 * Responds to a read whose responses have versions [D34] [D95]. With `If-None-Match`, the current version is read
 * first; if a tag matches, the response is 304 without a body. Otherwise the full response is built, which can still
 * become a 304 (`*`, or a change that was reverted in between). An unsuccessful response is never a 304.
 */
export async function answerConditionally<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  context: Context,
  request: Request,
  { responses, owner, answer }: Answers,
): Promise<SettledResponse> {
  const { clock } = context;
  const key = readIdentityOf(operation, request);
  const { brandId } = request.caller;
  const wanted = parseTagList(request.ifNoneMatch);
  if (Array.isArray(wanted)) {
    const held = await answerByVersion(operation, context, request, { key, tags: wanted });
    if (held !== null) return held;
  }
  const serve = (
    { etag, body }: { etag: string; body: string },
    own: Reply['headers'] = {},
  ): SettledResponse =>
    wanted === '*' || wanted?.includes(etag)
      ? notModified(etag, own)
      : { status: 200, headers: { ...own, etag }, body };
  const kept = responses.find(brandId, key, clock.now());
  const reply = await answer(kept?.state ?? null);
  if (isUnchanged(reply)) {
    if (kept === undefined) throw new Error(`${operation.id} has no response that could be unchanged`);
    responses.count(true);
    return serve(kept);
  }
  const { status, headers, version } = reply;
  if (version?.isKept !== false) responses.count(false);
  const body = await jsonText(reply.body as object, () => takeTurn(owner));
  if (version === undefined) return { status, headers: { ...headers }, body };
  const etag = entityTag(computeDigest(operation, key, version.state), version.freshUntil);
  if (version.isKept === false) return serve({ etag, body }, headers);
  const response: CachedResponse = {
    body,
    etag,
    state: version.state,
    // The handler has read the clock before.
    validFrom: clock.now(),
    validUntil: version.freshUntil ?? Infinity,
  };
  responses.offer(brandId, key, response);
  return serve(response, headers);
}

/** Reads the current version, and returns a 304 if one of the client's tags has it; otherwise null. */
async function answerByVersion<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  context: Context,
  request: Request,
  { key, tags }: { readonly key: string; readonly tags: readonly string[] },
): Promise<SettledResponse | null> {
  const current = await operation.currentVersion?.(context, request);
  if (current === null || current === undefined) return null;
  const { state, headers } = typeof current === 'string' ? { state: current, headers: {} } : current;
  const digest = computeDigest(operation, key, state);
  const now = context.clock.now();
  const held = tags.find((tag) => isCurrent(tag, digest, now));
  return held === undefined ? null : notModified(held, headers);
}

/**
 * Returns whether `If-Match` names the response that the read would give now, or any [platform-94].
 * @param request a request of the same path, such as a write's
 */
export function isTagCurrent(
  read: ReadOperation,
  request: OperationRequest<unknown, unknown, unknown>,
  { ifMatch, state, now }: { readonly ifMatch: string; readonly state: string; readonly now: number },
): boolean {
  const tags = parseTagList(ifMatch);
  if (tags === '*') return true;
  // A read without parameters, as a write has none.
  const digest = computeDigest(read, readIdentityOf(read, { ...request, query: {} }), state);
  return tags?.some((tag) => isCurrent(tag, digest, now)) === true;
}

/** Returns a 304, with the headers that the 200 would have (RFC 9110, 15.4.5). */
function notModified(etag: string, own: Reply['headers']): SettledResponse {
  return { status: 304, headers: { ...own, etag }, body: '' };
}

/**
 * Returns the data part of an entity tag: 22 characters that reveal nothing about the underlying counters. One state has a
 * different digest for each `identity` (`readIdentityOf`), so that two different responses never share a tag.
 */
export function computeDigest(operation: ReadOperation<never>, identity: string, state: string): string {
  const what = `${representationOf(operation)}\n${identity}\n${state}`;
  return hash('sha256', what, 'base64url').slice(0, 22);
}

/** Returns a strong tag: `"<digest>"`, or `"<digest>.<instant>"` if the response changes with the clock after that instant. */
function entityTag(digest: string, freshUntil: ReplyVersion['freshUntil']): string {
  return freshUntil === undefined || freshUntil === null
    ? `"${digest}"`
    : `"${digest}.${freshUntil.toString(36)}"`;
}

const form = /^"([A-Za-z0-9_-]{22})(?:\.([0-9a-z]{1,10}))?"$/;

/** Returns whether the tag, which the client sent, still identifies the response at the time `now`. */
function isCurrent(tag: string, digest: string, now: number): boolean {
  const [, sent, freshUntil] = form.exec(tag) ?? [];
  return sent === digest && (freshUntil === undefined || now <= Number.parseInt(freshUntil, 36));
}

/** Returns all that determines a body but data and clock: operation, brand, scopes, path, query, and the prefix of links. */
function readIdentityOf(
  { id }: Pick<ReadOperation<never>, 'id'>,
  { caller, params, query, pathPrefix }: OperationRequest<unknown, unknown, unknown>,
): string {
  const held = scopes.filter((scope) => caller.scopes.has(scope)).join(' ');
  return [id, caller.brandId, held, inOneOrder(params), inOneOrder(query), pathPrefix].join('\n');
}

/** Writes parameters in one order, regardless of the client's. Values hold no objects. */
function inOneOrder(values: unknown): string {
  const given = values ?? {};
  return JSON.stringify(given, Object.keys(given).sort());
}
