import type { FastifyInstance } from 'fastify';
import type { Database } from '../postgres/database.ts';
import { addMethodNotAllowed, type BeforeRefusal } from './refusals.ts';

const probeTimeoutMs = 2_000;

/** `/healthz`: the process answers. `/readyz`: so does its database. Neither needs a key or counts against a limit. */
export function addHealth(app: FastifyInstance, database: Database, beforeRefusal: BeforeRefusal): void {
  const options = { logLevel: 'silent', exposeHeadRoute: true } as const;
  app.get('/healthz', options, async () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_request, reply) => {
    const ready = await database.isReachable(probeTimeoutMs);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database_unreachable' });
  });
  for (const url of ['/healthz', '/readyz']) addMethodNotAllowed(app, url, ['GET', 'HEAD'], beforeRefusal);
}
