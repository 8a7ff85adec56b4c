import type { Operation } from '../../../api/operation.ts';
import type { ConsoleContext } from '../console-context.ts';
import { createConsoleSessionOperation } from './create-console-session.ts';
import { deleteConsoleSessionOperation } from './delete-console-session.ts';
import { deleteSessionOperation } from './delete-session.ts';
import { getConsoleSessionOperation } from './get-console-session.ts';
import { getSignInMethodsOperation } from './get-sign-in-methods.ts';
import { listSessionsOperation } from './list-sessions.ts';

/** Sessions of anybody, below `/internal/v1`. */
export const sessionAdminOperations: readonly Operation[] = [
  listSessionsOperation, //  GET    /sessions
  deleteSessionOperation, // DELETE /sessions/:id
];

/** The paths are absolute: `/console` is outside of `/internal/v1`. */
export const sessionOperations: readonly Operation<ConsoleContext>[] = [
  getSignInMethodsOperation, //     GET    /console/sign-in-methods
  createConsoleSessionOperation, // POST   /console/session
  getConsoleSessionOperation, //    GET    /console/session
  deleteConsoleSessionOperation, // DELETE /console/session
];
