import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  findCookie,
  requireSafeGround,
  setCookie,
  setSessionCookie,
} from '../../../server/src/access/sessions/session.ts';
import type { SingleSignOnConfig } from '../../../server/src/access/sessions/single-sign-on.ts';
import { applyRateDecision } from '../../../server/src/http/admission.ts';
import type { BrowserSignIn, BrowserSignInDeps } from '../../../server/src/http/console-routes.ts';
import { toApiError } from '../../../server/src/http/error-handler.ts';
import { SignInError } from './sign-in-error.ts';
import { signInLifeMs } from './sign-in-flow.ts';
import { sendSignInNotice } from './sign-in-page.ts';
import { SingleSignOn } from './single-sign-on.ts';

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
    requireSafeGround(origin, headers['sec-fetch-site']?.toString(), consoleAllowsHttp);
    const { return_to: returnTo } = query as { return_to?: string | string[] };
    const known = findCookie(origin, browserCookie, headers.cookie);
    const begun = await singleSignOn.begin(typeof returnTo === 'string' ? returnTo : '', known);
    const cookie = { name: browserCookie, value: begun.browserToken, lifeMs: signInLifeMs };
    reply.header('set-cookie', setCookie(origin, { ...cookie, sameSite: 'Lax' }));
    return leave(reply, begun.location);
  });

  // Has no limit: unless a sign-in was begun here, it costs one look-up.
  get('sign-in/callback', async ({ origin, headers, raw, id }, reply) => {
    requireSafeGround(origin, undefined, consoleAllowsHttp);
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
