import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Removes the `Content-Length: 0` that Fastify adds to each 304 of a HEAD request: the length would be that of the 200
 * (RFC 9110, 8.6) [platform-90]. Applies to routes that are added later.
 */
export function addHeadResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [...[route.onSend ?? []].flat(), removeLengthOf304];
  });
}

async function removeLengthOf304(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  return payload;
}
