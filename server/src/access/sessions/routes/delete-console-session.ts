import { writeOperation } from '../console-context.ts';
import { setSessionCookie } from '../session-cookie.ts';
import { endSession } from '../session-service.ts';

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
