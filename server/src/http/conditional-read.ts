import type { OperationRequest, ReadOperation, ServiceContext } from '../api/operation.ts';
import type { Reply } from '../api/reply.ts';
import { digestOf, entityTag, isCurrent } from './entity-tag.ts';
import { parseIfNoneMatch } from './if-none-match.ts';

interface Request extends OperationRequest<never, never, never> {
  /** The header as it was sent. */
  readonly ifNoneMatch: string | undefined;
}

/**
 * Answers a read whose responses have versions [D34]. Without `If-None-Match`, it only calls `answer`. With
 * tags, the current version is read first; if one of the tags matches, the response is 304 without a body.
 * Otherwise the full response is built; it can still become a 304 if the client turns out to have it (`*`, or
 * a change that was reverted in between). An unsuccessful response is never a 304.
 */
export async function answerConditionally<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  context: Context,
  request: Request,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const wanted = parseIfNoneMatch(request.ifNoneMatch);
  if (Array.isArray(wanted)) {
    const state = await operation.currentVersion?.(context, request);
    if (state !== null && state !== undefined) {
      const digest = digestOf(operation, request, state);
      const now = context.clock.now();
      const held = wanted.find((tag) => isCurrent(tag, digest, now));
      if (held !== undefined) return notModified(held);
    }
  }
  const reply = await answer();
  if (reply.version === undefined) return reply;
  const digest = digestOf(operation, request, reply.version.state);
  const etag = entityTag(digest, reply.version.freshUntil);
  if (wanted === '*' || wanted?.includes(etag)) return notModified(etag);
  return { ...reply, headers: { ...reply.headers, etag } };
}

/** With the headers that the 200 would have (RFC 9110, 15.4.5). */
function notModified(etag: string): Reply {
  return { status: 304, headers: { etag } };
}
