import type { ReadOperation, ServiceContext } from '../api/operation.ts';
import type { ReadRequest } from '../api/operation-request.ts';
import type { SettledResponse } from '../api/reply.ts';
import { isUnchanged, type Reply, type Unchanged } from '../api/reply.ts';
import { parseTagList } from '../lib/tag-list.ts';
import { digestOf, entityTag, isCurrent, readIdentityOf } from './entity-tag.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';

interface Request extends ReadRequest<never, never, never> {
  /** The header as it was sent. */
  readonly ifNoneMatch: string | undefined;
}

interface Answers {
  readonly responses: ResponseCache;
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
  { responses, answer }: Answers,
): Promise<SettledResponse> {
  const { clock } = context;
  const key = readIdentityOf(operation, request);
  const wanted = parseTagList(request.ifNoneMatch);
  const serve = (
    { etag, body }: { etag: string; body: string },
    own: Reply['headers'] = {},
  ): SettledResponse =>
    wanted === '*' || wanted?.includes(etag)
      ? notModified(etag, own)
      : { status: 200, headers: { ...own, etag }, body };
  if (Array.isArray(wanted)) {
    const current = await operation.currentVersion?.(context, request);
    if (current !== null && current !== undefined) {
      const { state, headers: own } = typeof current === 'string' ? { state: current, headers: {} } : current;
      const digest = digestOf(operation, key, state);
      const now = clock.now();
      const held = wanted.find((tag) => isCurrent(tag, digest, now));
      if (held !== undefined) return notModified(held, own);
    }
  }
  const kept = responses.find(key, clock.now());
  const reply = await answer(kept?.state ?? null);
  if (isUnchanged(reply)) {
    if (kept === undefined) throw new Error(`${operation.id} has no response that could be unchanged`);
    responses.count(true);
    return serve(kept);
  }
  const { status, headers, version } = reply;
  if (version?.isKept !== false) responses.count(false);
  const body = JSON.stringify(reply.body);
  if (version === undefined) return { status, headers: { ...headers }, body };
  const etag = entityTag(digestOf(operation, key, version.state), version.freshUntil);
  if (version.isKept === false) return serve({ etag, body }, headers);
  const response: CachedResponse = {
    body,
    etag,
    state: version.state,
    // The handler has read the clock before.
    validFrom: clock.now(),
    validUntil: version.freshUntil ?? Infinity,
  };
  responses.offer(key, response);
  return serve(response, headers);
}

/** With the headers that the 200 would have (RFC 9110, 15.4.5). */
function notModified(etag: string, own: Reply['headers']): SettledResponse {
  return { status: 304, headers: { ...own, etag }, body: '' };
}
