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

/** Restricts a page to resources of this origin; scripts and styles must not be inside of it. */
export const guidePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
