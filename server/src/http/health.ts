import type { FastifyInstance } from 'fastify';
import type { Database } from '../postgres/database.ts';

const probeTimeoutMs = 2_000;

/**
 * Adds `/healthz` (the process responds) and `/readyz` (the database responds, and no reason is known why writes would fail)
 * [platform-21], without a key or a limit.
 */
export function addHealth(app: FastifyInstance, database: Database): void {
  const options = { logLevel: 'silent', exposeHeadRoute: true } as const;
  app.get('/healthz', options, async () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_request, reply) => {
    const isReachable = await database.isReachable(probeTimeoutMs);
    const { writeTrouble } = database;
    const isReady = isReachable && writeTrouble === null;
    const trouble = isReachable ? writeTrouble : 'unreachable';
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: trouble === null ? 'ready' : `database_${trouble}` });
  });
}
