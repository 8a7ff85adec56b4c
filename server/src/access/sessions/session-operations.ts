import { type Static, Type } from 'typebox';
import type { InternalCaller } from '../../api/access.ts';
import { NamedObject, Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import {
  type Operation,
  operationKit,
  readOperation,
  type ServiceContext,
  writeOperation,
} from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { ApiError, notFound } from '../../errors/api-error.ts';
import { RoleWire } from '../administrators/administrator-operations.ts';
import type { AdminToken } from '../authentication/authentication.ts';
import { type Session, setSessionCookie } from './session.ts';
import { listLiveSessions } from './session-store.ts';
import { beginSession, endSession, findTokenHolder } from './sign-in.ts';

interface ConsoleContext extends ServiceContext {
  readonly adminToken: AdminToken;
  /** The issuer of single sign-on; null: not configured. */
  readonly issuer: string | null;
}

const consoleKit = operationKit<ConsoleContext>();

const CreateConsoleSessionBody = NamedObject('ConsoleSessionCreate', {
  token: Text({
    max: 512,
    description: 'The admin token, or the token of an administrator.',
    examples: ['an-admin-token-of-32-characters-or-more'],
  }),
});

const ConsoleSessionWire = NamedObject('ConsoleSession', {
  actor: Type.String({
    description:
      'The caller, as in the audit: `admin-token`, the id of an administrator, or the user of a single sign-on with the issuer.',
  }),
  actor_name: Nullable(Type.String(), { description: 'The name of the caller, if it has one.' }),
  role: RoleWire,
  brand_ids: Nullable(Type.Array(Type.Integer()), {
    description: 'The brands that the caller may see. null: all.',
  }),
  expires_at: Nullable(Timestamp(), {
    description:
      'The end of the session. It ends earlier after 60 minutes without a request. null without a session, with a bearer token.',
  }),
});

const SignInMethodsWire = NamedObject('SignInMethods', {
  single_sign_on: Nullable(
    Type.Object({ issuer: Type.String({ description: 'The identity provider, as configured.' }) }),
    { description: 'null: not configured.' },
  ),
});

const signInMethodsExample: Static<typeof SignInMethodsWire> = { single_sign_on: null };

const consoleSessionExample: Static<typeof ConsoleSessionWire> = {
  actor: 'admin-token',
  actor_name: null,
  role: 'administrator',
  brand_ids: null,
  expires_at: '2026-03-01T20:30:00.000Z',
};

function consoleSessionToWire(caller: InternalCaller): Static<typeof ConsoleSessionWire> {
  return {
    actor: caller.actor,
    actor_name: caller.actorName,
    role: caller.role,
    brand_ids: caller.brandIds === null ? null : [...caller.brandIds],
    expires_at: caller.session?.expiresAt.toISOString() ?? null,
  };
}

const getSignInMethodsOperation = consoleKit.readOperation({
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

const createConsoleSessionOperation = consoleKit.unmanagedOperation({
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

const getConsoleSessionOperation = consoleKit.readOperation({
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

const deleteConsoleSessionOperation = consoleKit.writeOperation({
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

const SessionWire = NamedObject('Session', {
  id: Type.Integer(),
  actor: Type.String({ description: 'Who signed in, as in the audit.' }),
  actor_name: Nullable(Type.String()),
  role: RoleWire,
  brand_ids: Nullable(Type.Array(Type.Integer()), { description: 'null: all brands.' }),
  address: Nullable(Type.String(), { description: 'The client’s address at sign-in.' }),
  created_at: Timestamp(),
  last_seen_at: Timestamp({ description: 'The last request, with a delay of some seconds.' }),
  expires_at: Timestamp({ description: 'The end, unless 60 minutes without a request end it earlier.' }),
  is_current: Type.Boolean({ description: 'True for the session of this request.' }),
});

const sessionExample: Static<typeof SessionWire> = {
  id: 7,
  actor: 'bpa_0123456789abcdef01234567',
  actor_name: 'Ada, support',
  role: 'support',
  brand_ids: [1],
  address: '203.0.113.7',
  created_at: '2026-03-01T08:30:00.000Z',
  last_seen_at: '2026-03-01T09:12:00.000Z',
  expires_at: '2026-03-01T20:30:00.000Z',
  is_current: false,
};

const listSessionsOperation = readOperation({
  id: 'listSessions',
  method: 'GET',
  path: '/sessions',
  tag: 'Administrators',
  summary: 'List sessions',
  description: 'Lists the sessions of browsers that have not ended, newest first.',
  access: 'administrators',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of sessions.',
      schema: listOf(SessionWire, 'SessionPage'),
      example: exampleListOf(sessionExample),
    },
  },
  handle: async ({ database, clock }, { query, internalCaller }) => {
    const current = internalCaller.session?.id ?? null;
    return pageReply(
      query,
      (page) => listLiveSessions(database, clock.now(), page),
      (session) => sessionToWire(session, current),
    );
  },
});

function sessionToWire(session: Session, current: number | null): Static<typeof SessionWire> {
  return {
    id: session.id,
    actor: session.actor,
    actor_name: session.actorName,
    role: session.role,
    brand_ids: session.brandIds === null ? null : [...session.brandIds],
    address: session.address,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    is_current: session.id === current,
  };
}

const deleteSessionOperation = writeOperation({
  id: 'deleteSession',
  method: 'DELETE',
  path: '/sessions/:id',
  tag: 'Administrators',
  summary: 'End a session',
  description: 'Ends a session in all processes. The next request of its browser is rejected.',
  access: 'administrators',
  params: Type.Object({
    id: Type.String({
      pattern: '^[1-9][0-9]{0,14}$',
      description: 'Id of the session, an integer.',
      examples: ['1'],
    }),
  }),
  responses: { 204: { description: 'The session was ended.' } },
  handle: async (tx, { params }) => {
    if (!(await endSession(tx, Number(params.id)))) throw notFound();
    return { status: 204 };
  },
});

export const sessionAdminOperations: readonly Operation[] = [listSessionsOperation, deleteSessionOperation];

/** The paths are absolute: `/console` is outside of `/internal/v1`. */
export const sessionOperations: readonly Operation<ConsoleContext>[] = [
  getSignInMethodsOperation,
  createConsoleSessionOperation,
  getConsoleSessionOperation,
  deleteConsoleSessionOperation,
];
