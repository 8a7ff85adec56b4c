import type { FastifyReply } from 'fastify';

/** Lets a browser take a response for the type that it names, and no other. */
export function withFixedType(reply: FastifyReply): FastifyReply {
  return reply.header('x-content-type-options', 'nosniff');
}

/** Sets the headers of a page: its content security policy, no `Referer` to other pages, and the type that it names. */
export function withPageHeaders(reply: FastifyReply, policy: string): FastifyReply {
  return withFixedType(reply)
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer');
}
