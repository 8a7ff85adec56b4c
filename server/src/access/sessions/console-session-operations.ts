import { ApiError } from '../../errors/api-error.ts';
import { findTokenHolder } from './authenticate-internal.ts';
import { readOperation, writeOperation } from './console-context.ts';
import { setSessionCookie } from './session-cookie.ts';
import { beginSession, endSession } from './session-service.ts';
import {
  ConsoleSessionWire,
  CreateConsoleSessionBody,
  consoleSessionExample,
  consoleSessionToWire,
  SignInMethodsWire,
  signInMethodsExample,
} from './session-wire.ts';

export const getSignInMethodsOperation = readOperation({
  id: 'getSignInMethods',
  method: 'GET',
  path: '/console/sign-in-methods',
  tag: 'Console',
  summary: 'Get the ways to sign in',
  description:
    'Returns the identity provider, if single sign-on is configured. A browser that visits `/console/sign-in` is then led to the provider and comes back with a session. Tokens always work.',
  access: 'anyone',
  responses: {
    200: { description: 'The ways to sign in.', schema: SignInMethodsWire, example: signInMethodsExample },
  },
  handle: async ({ issuer }) => ({
    status: 200,
    body: { single_sign_on: issuer === null ? null : { issuer } },
  }),
});

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
    const { actor, actorName, role, brandIds } = holder.caller;
    const token = await beginSession(context, {
      actor,
      actorName,
      role,
      brandIds,
      administratorId: holder.administratorId,
      credentialExpiresAt: holder.expiresAt,
      address: origin.address,
      requestId,
    });
    return { status: 204, headers: { 'set-cookie': setSessionCookie(origin, token) } };
  },
});

export const getConsoleSessionOperation = readOperation({
  id: 'getConsoleSession',
  method: 'GET',
  path: '/console/session',
  tag: 'Console',
  summary: 'Get the caller',
  description: 'Returns who the caller is and what it may see, with a session or a bearer token.',
  access: 'signed-in',
  responses: {
    200: { description: 'The caller.', schema: ConsoleSessionWire, example: consoleSessionExample },
  },
  handle: async (_context, { internalCaller }) => ({
    status: 200,
    body: consoleSessionToWire(internalCaller),
  }),
});

export const deleteConsoleSessionOperation = writeOperation({
  id: 'deleteConsoleSession',
  method: 'DELETE',
  path: '/console/session',
  tag: 'Console',
  summary: 'Sign out',
  description: 'Ends the session of the cookie in all processes. Changes nothing with a bearer token.',
  access: 'signed-in',
  responses: {
    204: {
      description: 'Signed out.',
      headers: {
        'Set-Cookie': {
          description: 'Deletes the cookie.',
          required: true,
          schema: { type: 'string' },
        },
      },
    },
  },
  handle: async (tx, { internalCaller, origin }) => {
    if (internalCaller.session !== null) await endSession(tx, internalCaller.session.id);
    return { status: 204, headers: { 'set-cookie': setSessionCookie(origin, null) } };
  },
});
