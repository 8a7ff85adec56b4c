import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { notFound } from '../../errors/api-error.ts';
import { RoleWire } from '../administrators/administrator-wire.ts';
import type { ConsoleContext } from './console-context.ts';
import {
  createConsoleSessionOperation,
  deleteConsoleSessionOperation,
  getConsoleSessionOperation,
  getSignInMethodsOperation,
} from './console-session-operations.ts';
import type { Session } from './session.ts';
import { endSession } from './session-service.ts';
import { listLiveSessions } from './session-store.ts';

export const SessionWire = Type.Object({
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
      schema: listOf(SessionWire),
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
