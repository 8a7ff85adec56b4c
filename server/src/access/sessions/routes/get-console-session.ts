import { readOperation } from '../console-context.ts';
import { ConsoleSessionWire, consoleSessionExample, consoleSessionToWire } from '../session-wire.ts';

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
