import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ServiceContext } from '../api/operation.ts';
import type { RequestBodies } from '../http/bodies/request-bodies.ts';
import { createApp } from '../http/create-app.ts';
import { addHealth } from '../http/health.ts';
import { addMetrics } from '../http/internal-app.ts';
import type { Listener, Metrics } from '../http/metrics.ts';

export interface ProbeAppDeps {
  readonly context: ServiceContext;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly logger: FastifyBaseLogger;
}

/**
 * The app of a worker: the probes on both listeners and the metrics on the internal one, so that every
 * process is monitored in the same way in any role. Everything else is an unknown path.
 */
export function createProbeApp(
  listener: Listener,
  { context, metrics, bodies, logger }: ProbeAppDeps,
): FastifyInstance {
  const beforeRefusal = async () => {};
  const app = createApp({ listener, logger, metrics, bodies, beforeRefusal });
  addHealth(app, context.database, beforeRefusal);
  if (listener === 'internal') addMetrics(app, metrics, beforeRefusal);
  return app;
}
