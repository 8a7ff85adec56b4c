import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { KeyUsageRecorder } from '../access/authentication/key-usage-recorder.ts';
import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import { legacyFeedOperations } from '../catalog/feeds/feed-operations.ts';
import { admitAddress, clientAdmission, feedTokenAdmission, keyRequestNotes } from './admission.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import { type AppAdditions, addHealth, createApp } from './create-app.ts';
import { addDocumentation } from './documentation.ts';
import type { Metrics } from './metrics.ts';
import { clientDomains } from './operations.ts';
import type { TrustedProxies } from './proxies.ts';
import { registerOperations } from './register-operations.ts';
import type { ResponseCache } from './response-cache.ts';
import { WriteRunner } from './run-writes.ts';
import type { Services } from './services.ts';

export interface ClientAppDeps {
  readonly context: Services;
  readonly rateLimits: RateLimits;
  readonly keyUsage: KeyUsageRecorder;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly proxies: TrustedProxies;
  readonly responses: ResponseCache;
  readonly logger: FastifyBaseLogger;
  readonly additions?: AppAdditions;
}

/** Creates the client listener: all operations for API keys, the legacy feed path, the documentation and the probes. */
export function createClientApp(deps: ClientAppDeps): FastifyInstance {
  const { context, metrics, bodies, responses } = deps;
  const beforeRefusal = admitAddress(deps);
  const writes = new WriteRunner(context, metrics);
  const countAddress = (address: string) => deps.rateLimits.admitAddress(address);
  const noteRequest = keyRequestNotes(deps);
  const app = createApp({ listener: 'client', ...deps, beforeRefusal, countAddress, noteRequest });
  addHealth(app, context.database);
  addDocumentation(app, { listener: 'client', admit: beforeRefusal });
  for (const { domain, prefix, operations, head } of clientDomains)
    registerOperations(app, operations, {
      prefix,
      context,
      metrics,
      writes,
      bodies,
      responses,
      head,
      admit: (operation) => clientAdmission(domain, operation, deps),
    });
  registerOperations(app, legacyFeedOperations, {
    prefix: '/v1/catalog',
    context,
    metrics,
    bodies,
    responses,
    head: true,
    admit: () => feedTokenAdmission(deps),
  });
  return app;
}
