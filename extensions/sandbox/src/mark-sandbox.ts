import type { FastifyInstance } from 'fastify';

/** Says in every response, and in the body of `/readyz`, that the server is a sandbox. */
export function markSandbox(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-brandport-sandbox', 'true');
  });
  app.addHook('preSerialization', async ({ routeOptions }, _reply, payload) =>
    routeOptions.url === '/readyz' ? { ...(payload as object), sandbox: true } : payload,
  );
}
