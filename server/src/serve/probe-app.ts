import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ServiceContext } from '../api/operation.ts';
import type { RequestBodies } from '../http/bodies/request-bodies.ts';
import { addHealth, createApp } from '../http/create-app.ts';
import { addMetrics } from '../http/internal-app.ts';
import type { Listener, Metrics } from '../http/metrics.ts';
import type { TrustedProxies } from '../http/proxies.ts';

export interface ProbeAppDeps {
  readonly context: ServiceContext;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly proxies: TrustedProxies;
  readonly logger: FastifyBaseLogger;
}

/** The app of a worker: probes and metrics, so that all processes are monitored alike. */
export function createProbeApp(listener: Listener, deps: ProbeAppDeps): FastifyInstance {
  const { context, metrics } = deps;
  const app = createApp({ listener, ...deps, beforeRefusal: async () => {} });
  addHealth(app, context.database);
  if (listener === 'internal') addMetrics(app, metrics);
  return app;
}
