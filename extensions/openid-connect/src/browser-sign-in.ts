import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  findCookie,
  requireSafeOrigin,
  setCookie,
  setSessionCookie,
} from '../../../server/src/access/sessions/session.ts';
import type { SingleSignOnConfig } from '../../../server/src/access/sessions/single-sign-on.ts';
import { applyRateDecision } from '../../../server/src/http/admission.ts';
import type { BrowserSignIn, BrowserSignInDeps } from '../../../server/src/http/console-routes.ts';
import { toApiError } from '../../../server/src/http/error-handler.ts';
import { escapeHtml } from '../../../server/src/http/html.ts';
import { SignInError } from './identity-provider.ts';
import { SingleSignOn, signInLifeMs } from './single-sign-on.ts';

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

export function browserSignIn(config: SingleSignOnConfig): BrowserSignIn {
  return {
    issuer: config.issuer,
    addTo(app, deps) {
      addSingleSignOn(app, new SingleSignOn(config, deps.context), deps);
    },
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The cookie of a browser between leaving for the provider and coming back. A `Strict` one would not be sent, because the
 * provider's site leads the browser back. Alone it opens nothing [D176].
 */
const browserCookie = 'brandport-sign-in';

/**
 * Adds the addresses that a browser visits during a single sign-on. They are pages and redirects, not operations: nothing else
 * calls them. Failures are pages too, with the status of the failure.
 */
function addSingleSignOn(
  app: FastifyInstance,
  singleSignOn: SingleSignOn,
  { rateLimits, metrics, consoleAllowsHttp }: BrowserSignInDeps,
): void {
  const { consoleUrl } = singleSignOn.config;
  const get = (path: string, handler: Handler) =>
    app.get(`/console/${path}`, (request, reply) =>
      handler(request, reply).catch((error: FastifyError) => sendFailure(error, consoleUrl, request, reply)),
    );

  get('sign-in', async ({ origin, headers, query }, reply) => {
    applyRateDecision(reply, await rateLimits.admitSignIn(origin.address), metrics);
    requireSafeOrigin(origin, headers['sec-fetch-site']?.toString(), consoleAllowsHttp);
    const { return_to: returnTo } = query as { return_to?: string | string[] };
    const known = findCookie(origin, browserCookie, headers.cookie);
    const begun = await singleSignOn.begin(typeof returnTo === 'string' ? returnTo : '', known);
    const cookie = { name: browserCookie, value: begun.browserToken, lifeMs: signInLifeMs };
    reply.header('set-cookie', setCookie(origin, { ...cookie, sameSite: 'Lax' }));
    return leave(reply, begun.location);
  });

  // Has no limit: unless a sign-in was begun here, it costs one look-up.
  get('sign-in/callback', async ({ origin, headers, raw, id }, reply) => {
    requireSafeOrigin(origin, undefined, consoleAllowsHttp);
    const { search } = new URL(raw.url ?? '', consoleUrl);
    const browserToken = findCookie(origin, browserCookie, headers.cookie);
    const callback = { search, browserToken, address: origin.address, requestId: id };
    const { location, sessionToken } = await singleSignOn.finish(callback);
    reply.header('set-cookie', setSessionCookie(origin, sessionToken));
    return leave(reply, location);
  });

  get('sign-out', async (_request, reply) => leave(reply, (await singleSignOn.signOutUrl()) ?? consoleUrl));
}

/** The address that is left may have a code in it, so it is not passed on. */
function leave(reply: FastifyReply, location: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(location, 303);
}

function sendFailure(
  error: FastifyError | SignInError,
  consoleUrl: string,
  { id: requestId, log }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof SignInError) {
    const { status, title, message, reason } = error;
    log.warn({ reason }, 'single sign-on failed');
    return sendSignInNotice(reply, consoleUrl, { status, title, text: message, requestId });
  }
  const { status, message, details } = toApiError(error);
  if (status >= 500) log.error({ err: error }, 'single sign-on failed');
  reply.headers(details.headers ?? {});
  const title = 'You are not signed in';
  return sendSignInNotice(reply, consoleUrl, { status, title, text: message, requestId });
}
