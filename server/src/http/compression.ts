import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AcceptedCoding, chooseCoding } from './accept-encoding.ts';
import { compressBody } from './compress-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response contains a secret. It is never compressed, because its length must not depend on its content (BREACH). */
    readonly revealsSecret?: boolean;
  }
}

/** Bodies up to this many bytes fit into one packet with their headers, so compression gains nothing. */
const smallest = 1_024;
const compressible = /^(?:application\/(?:json|x-ndjson)|text\/)/;

/**
 * Compresses bodies above 1 KiB for clients that accept gzip or br [platform-70] [D61]. Such a client receives the weak form of
 * the tag, since one tag then covers several byte sequences (RFC 9110, 8.8.3.3). `Vary` is on every response that could have been
 * compressed, including 304.
 */
export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config?.revealsSecret === true || reply.hasHeader('content-encoding')) {
      done(null, payload);
      return;
    }
    addVary(reply);
    const accepted = chooseCoding(request.headers['accept-encoding']);
    if (accepted.coding === null) {
      done(null, payload);
      return;
    }
    weakenTag(reply);
    const body = bodyToCompress(reply, payload, accepted);
    if (body === null) {
      done(null, payload);
      return;
    }
    compressBody(body, accepted.coding).then((compressed) => {
      reply.header('content-encoding', accepted.coding).removeHeader('content-length');
      done(null, compressed);
    }, done);
  });
}

export function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (String(vary ?? '').includes('accept-encoding')) return;
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', `W/${tag}`);
}

function bodyToCompress(
  reply: FastifyReply,
  payload: unknown,
  { isRequired }: AcceptedCoding,
): Buffer | null {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null;
  if (!compressible.test(String(reply.getHeader('content-type') ?? ''))) return null;
  const length = Buffer.byteLength(payload);
  if (length === 0 || (length <= smallest && !isRequired)) return null;
  return Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
}
