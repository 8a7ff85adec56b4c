import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../../server/src/http/guides/guide-page.ts';

export interface SignInNotice {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Shown for questions to the operator. */
  readonly requestId: string;
}

const style = `:root { color-scheme: light dark; }
body { background: light-dark(#f7f6f2, #14171a); color: light-dark(#22272b, #d8dbdd); font: 16px/1.5 system-ui, sans-serif; margin: 4rem auto; max-width: 34rem; padding: 0 1rem; overflow-wrap: anywhere; }
a { color: light-dark(#0b5c63, #5cc4c4); }
p.request { font-size: 0.8rem; color: light-dark(#565c60, #9aa1a6); }`;

const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

/** Sends the page with links to sign in again and to the console. It needs nothing else from the server. */
export function sendSignInNotice(
  reply: FastifyReply,
  consoleUrl: string,
  { status, title, text, requestId }: SignInNotice,
): FastifyReply {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Brandport console</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(consoleUrl)}">Back to the sign-in</a></p>
<p class="request">Request ${escapeHtml(requestId)}</p>
</main>
</body>
</html>
`;
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(page);
}
