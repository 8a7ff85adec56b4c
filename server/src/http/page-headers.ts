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

/** Sends the 503 instead of pages that were not built: after `npm ci --omit=dev`, for example. `what`: 'console', for example. */
export function sendMissing(reply: FastifyReply, what: string): FastifyReply {
  return reply
    .code(503)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Brandport ${what}</title>
<h1>The ${what} is not built</h1>
<p>Run this in the directory of Brandport, then reload the page:</p>
<pre>npm ci --include=dev</pre>
<p>Nothing else is affected.</p>
</html>
`);
}
