import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdminToken } from '../access/authentication/authentication.ts';
import type { KeyUsageRecorder } from '../access/authentication/key-usage-recorder.ts';
import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import { sessionOperations } from '../access/sessions/session-operations.ts';
import { type InternalCaller, type Scope, scopes } from '../api/access.ts';
import type { AnyOperation } from '../api/operation.ts';
import { getBrand } from '../brands/brand-operations.ts';
import { brandIdFromPath } from '../brands/brand-wire.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import { addConsole, type BrowserSignIn } from './console-routes.ts';
import { type AppAdditions, addHealth, createApp } from './create-app.ts';
import { addDocumentation } from './documentation.ts';
import { type InternalAdmissionDeps, internalAdmission } from './internal-admission.ts';
import type { Metrics } from './metrics.ts';
import { clientDomains, internalOperations } from './operations.ts';
import type { TrustedProxies } from './proxies.ts';
import { type RegistrationOptions, registerOperations } from './register-operations.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Services } from './services.ts';

const readScopes: ReadonlySet<Scope> = new Set(scopes.filter((scope) => scope.endsWith(':read')));

type Options = Pick<RegistrationOptions<Services>, 'context' | 'metrics' | 'bodies' | 'responses'>;

/**
 * Adds every GET operation of the client API, except the status of a key, below `/internal/v1/brands/:id/catalog` and
 * `/analytics`: the same handlers, as if a key of the brand with all read scopes called them, without rate limits [internal-127]
 * [D164].
 */
function addBrandReads(app: FastifyInstance, options: Options, deps: InternalAdmissionDeps): void {
  const admitCaller = internalAdmission({ access: 'one-brand' }, deps);
  const admit = () => async (request: FastifyRequest, reply: FastifyReply) => {
    await admitCaller(request, reply);
    const params = request.params as Record<string, string>;
    const { id: brandId } = await getBrand(deps.context.database, brandIdFromPath(params['id'] as string));
    // The operation's parameters, as on the client listener: they are part of the entity tag.
    delete params['id'];
    const { actor } = request.internalCaller as InternalCaller;
    const asKey = { keyId: actor, keyName: null, lineageId: null, expiresAt: null };
    request.caller = { ...asKey, brandId, scopes: readScopes };
  };
  for (const { domain, operations, head } of clientDomains) {
    const reads = operations.filter(({ method, path }) => method === 'GET' && path !== '/status');
    registerOperations(app, reads, { prefix: `/internal/v1/brands/:id/${domain}`, ...options, head, admit });
  }
}

interface InternalAppDeps {
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
  addDocumentation(app, { listener: 'internal', admit: beforeRefusal });
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
