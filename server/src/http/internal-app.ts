import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { AdminToken } from '../access/authentication/authentication.ts';
import type { KeyUsageRecorder } from '../access/authentication/key-usage-recorder.ts';
import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import { sessionOperations } from '../access/sessions/session-operations.ts';
import type { AnyOperation } from '../api/operation.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import { addBrandReads } from './brand-reads.ts';
import type { BrowserSignIn } from './console/browser-sign-in.ts';
import { addConsole } from './console/console-routes.ts';
import { type AppAdditions, createApp } from './create-app.ts';
import { addDocumentation } from './documentation.ts';
import { addHealth } from './health.ts';
import { internalAdmission } from './internal-admission.ts';
import { internalGroups, internalOperations } from './internal-operations.ts';
import type { Metrics } from './metrics.ts';
import type { TrustedProxies } from './proxies/trusted-proxies.ts';
import { registerOperations } from './register-operations.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Services } from './services.ts';

export interface InternalAppDeps {
  readonly context: Services;
  readonly adminToken: AdminToken;
  readonly rateLimits: RateLimits;
  readonly keyUsage: KeyUsageRecorder;
  readonly consoleAllowsHttp: boolean;
  /** Another way to sign in than with a token; absent or null: none. */
  readonly signIn?: BrowserSignIn | null;
  /** The folder of the built console; default: that of the workspace. */
  readonly consoleDir?: string;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly proxies: TrustedProxies;
  readonly responses: ResponseCache;
  readonly logger: FastifyBaseLogger;
  readonly additions?: AppAdditions;
}

const builtConsole = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

export function createInternalApp(deps: InternalAppDeps): FastifyInstance {
  const { context, adminToken, metrics, bodies, responses } = deps;
  const beforeRefusal = async () => {};
  const app = createApp({ listener: 'internal', ...deps, beforeRefusal });
  addHealth(app, context.database);
  addMetrics(app, metrics);
  addDocumentation(app, { listener: 'internal', admit: beforeRefusal, operations: internalGroups });
  addConsole(app, deps.consoleDir ?? builtConsole);
  const admit = (operation: AnyOperation) => internalAdmission(operation, deps);
  const options = { metrics, bodies, responses, head: true, admit };
  deps.signIn?.addTo(app, deps);
  const own = { ...context, adminToken, issuer: deps.signIn?.issuer ?? null };
  const operations = [...internalOperations, ...(deps.additions?.internalOperations ?? [])];
  registerOperations(app, operations, { prefix: '/internal/v1', context: own, ...options });
  addBrandReads(app, { context, metrics, bodies, responses }, deps);
  registerOperations(app, sessionOperations, { prefix: '', context: own, ...options });
  return app;
}

export function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { logLevel: 'silent', exposeHeadRoute: true }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
