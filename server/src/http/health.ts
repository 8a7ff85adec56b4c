import type { FastifyInstance } from 'fastify';
import type { Database } from '../postgres/database.ts';

const probeTimeoutMs = 2_000;

/** `/healthz`: the process answers. `/readyz`: so does its database. Neither needs a key or counts against a limit. */
export function addHealth(app: FastifyInstance, database: Database): void {
  const log = { logLevel: 'silent' } as const;
  app.get('/healthz', log, async () => ({ status: 'ok' }));
  app.get('/readyz', log, async (_request, reply) => {
    const ready = await database.isReachable(probeTimeoutMs);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database_unreachable' });
  });
}
