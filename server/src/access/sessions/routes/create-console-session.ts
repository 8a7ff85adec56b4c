import { ApiError } from '../../../errors/api-error.ts';
import { findTokenHolder, type TokenHolder } from '../authenticate-internal.ts';
import { readOperation } from '../console-context.ts';
import { setSessionCookie } from '../session-cookie.ts';
import { beginSession, type SignIn } from '../session-service.ts';
import { CreateConsoleSessionBody } from '../session-wire.ts';

export const createConsoleSessionOperation = readOperation({
  id: 'createConsoleSession',
  method: 'POST',
  path: '/console/session',
  tag: 'Console',
  summary: 'Sign in',
  description:
    'Exchanges a token for the cookie of a session, for browsers. The session ends after 12 hours, or after 60 minutes without a request. Its cookie counts only for requests that a page of this server makes (`Sec-Fetch-Site: same-origin`); requests other than GET also need `X-Brandport-Console: 1`. Ten attempts a minute are admitted from an address. Over plain http, signing in works on localhost only.',
  access: 'sign-in',
  body: CreateConsoleSessionBody,
  bodyExample: { token: 'an-admin-token-of-32-characters-or-more' },
  responses: {
    204: {
      description: 'Signed in.',
      headers: {
        'Set-Cookie': {
          description: 'The cookie of the session: `HttpOnly`, `SameSite=Strict`, over https also `Secure`.',
          required: true,
          schema: { type: 'string' },
        },
      },
    },
  },
  errors: ['rate_limited', 'forbidden'],
  handle: async (context, { body, origin, requestId }) => {
    const holder = await findTokenHolder(context, body.token);
    if ('failure' in holder)
      throw new ApiError('unauthenticated', {
        message: 'The token is not valid.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    const token = await beginSession(context, {
      ...callerOf(holder),
      address: origin.address,
      requestId,
    });
    return { status: 204, headers: { 'set-cookie': setSessionCookie(origin, token) } };
  },
});

function callerOf({
  caller,
  administratorId,
  expiresAt,
}: TokenHolder): Omit<SignIn, 'address' | 'requestId'> {
  const { actor, actorName, role, brandIds } = caller;
  return { actor, actorName, role, brandIds, administratorId, credentialExpiresAt: expiresAt };
}
