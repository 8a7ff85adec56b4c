import { Type } from 'typebox';
import { writeOperation } from '../../../api/operation.ts';
import { notFound } from '../../../errors/api-error.ts';
import { endSession } from '../session-service.ts';

export const deleteSessionOperation = writeOperation({
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
