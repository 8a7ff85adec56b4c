import type { OperationRequest, ReadOperation, ServiceContext } from '../api/operation.ts';
import type { Reply } from '../api/reply.ts';
import { digestOf, entityTag, isCurrent } from './entity-tag.ts';
import { parseIfNoneMatch } from './if-none-match.ts';

type Request = OperationRequest<never, never, never>;

/**
 * Answers a read whose answers have versions [D34]. Without `If-None-Match` it is `answer` and nothing else. With tags the
 * present version is asked for first, and where one of them stands for it, that is all: 304, no body. Otherwise the whole
 * answer is made; 304 follows even then where it turns out to be one that the client has (`*`, or a change that was taken
 * back meanwhile). What is no success is never a 304.
 */
export async function answerConditionally<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  context: Context,
  request: Request,
  header: string | undefined,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const wanted = parseIfNoneMatch(header);
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
