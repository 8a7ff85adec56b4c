import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Reply } from '../api/reply.ts';

/**
 * Sends a streamed body [D154]. One part is in memory for each response, besides what the connection buffers: a client that stops
 * reading stops the parts, and loses its connection like any other (`addResponseTimeout`). HEAD sends no part.
 * @throws the error of the first part, while it can still become a response
 */
export async function sendStream(
  reply: FastifyReply,
  { status, headers, stream }: Reply,
): Promise<FastifyReply> {
  if (stream === undefined) throw new Error('the reply has no stream');
  const { mediaType, fileName, parts } = stream;
  const isHead = reply.request.method === 'HEAD';
  const iterator = parts[Symbol.asyncIterator]();
  const body = isHead ? [] : continued(await iterator.next(), iterator);
  reply
    .code(status)
    .headers({ ...headers, 'content-disposition': `attachment; filename="${fileName}"` })
    .type(`${mediaType}; charset=utf-8`);
  return reply.send(Readable.from(body));
}

async function* continued(
  first: IteratorResult<string>,
  parts: AsyncIterator<string>,
): AsyncGenerator<string, void> {
  try {
    for (let part = first; part.done !== true; part = await parts.next()) yield part.value;
  } finally {
    await parts.return?.();
  }
}
