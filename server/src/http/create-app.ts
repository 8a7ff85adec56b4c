import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Operation } from '../api/operation.ts';
import type { Database } from '../postgres/database.ts';
import { addClientCaller } from './admission.ts';
import { addJsonBodies, closeAfterEarlyAnswer, type RequestBodies } from './bodies/request-bodies.ts';
import { addResponseTimeout } from './client-connections.ts';
import { addCompression } from './compression.ts';
import {
  addAllMethods,
  addEmptyParameters,
  addErrorHandler,
  addUnrouted,
  refuseUnroutable,
} from './error-handler.ts';
import { addInternalCaller } from './internal-admission.ts';
import { KnownPaths } from './known-paths.ts';
import { addLargeResponses } from './large-responses.ts';
import type { Listener, Metrics } from './metrics.ts';
import {
  addProtocolGuard,
  type BeforeRefusal,
  originForm,
  takeOverProtocolAnswers,
} from './protocol-faults.ts';
import { addRequestOrigin, giveOrigin, type TrustedProxies } from './proxies.ts';
import { addQueryEncodingCheck } from './query-encoding.ts';
import { addRequestRecord, chooseRequestId, type NoteRequest, requestRecorder } from './request-record.ts';
import type { Services } from './services.ts';
import { addUnknownNames } from './unknown-name-hooks.ts';
import { answerUnreadable, type CountAddress } from './unreadable-requests.ts';
import { createValidatorCompiler } from './validation/validator.ts';

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

const mebibyte = 1024 * 1024;
/** Characters of a path parameter. */
const maxParamLength = 500;

interface AppDeps {
  readonly listener: Listener;
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly beforeRefusal: BeforeRefusal;
  readonly proxies: TrustedProxies;
  /** Default: addresses are not limited. */
  readonly countAddress?: CountAddress;
  /** Default: nothing is noted of keys. */
  readonly noteRequest?: NoteRequest;
  readonly additions?: AppAdditions;
}

/**
 * Creates the common part of both listeners: request ids, `Cache-Control: no-store`, JSON bodies of up to 1 MiB, validation, the
 * error envelope, one log line and one count per request.
 */
export function createApp(deps: AppDeps): FastifyInstance {
  const { listener, logger, metrics, bodies, beforeRefusal, proxies, countAddress = async () => null } = deps;
  const { headersMs, lingerMs, takeMs } = bodies.times;
  const record = requestRecorder(listener, metrics, deps.noteRequest);
  const refuseUnrouted = refuseUnroutable({ listener, beforeRefusal, record, lingerMs });
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: chooseRequestId,
    requestIdHeader: false,
    bodyLimit: mebibyte,
    forceCloseConnections: 'idle',
    http: {
      // The protocol guard refuses it, with the envelope.
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(5_000, headersMs / 2),
    },
    // Longer than the 60 s for which common load balancers keep a connection, so that they close it, not the server.
    keepAliveTimeout: 72_000,
    // BodySource limits the time of bodies: only it knows when the server itself has paused the client.
    requestTimeout: 0,
    frameworkErrors: (error, request, reply) => {
      giveOrigin(request, proxies);
      refuseUnrouted(error, request, reply);
    },
    clientErrorHandler: (error, socket) => onClientError(error, socket),
    rewriteUrl: ({ url = '' }) => originForm(url),
    // Requests on open connections are still served while the server stops.
    return503OnClosing: false,
    routerOptions: { maxParamLength },
    exposeHeadRoutes: false,
  });
  takeOverProtocolAnswers(app.server);
  const onClientError = answerUnreadable(app.server, { listener, metrics, logger, countAddress });
  addAllMethods(app);
  const paths = new KnownPaths(maxParamLength);
  paths.collect(app);
  addHeadResponses(app);
  bodies.register(app);
  addJsonBodies(app, bodies);
  addErrorHandler(app, listener, metrics);
  app.setValidatorCompiler(createValidatorCompiler());
  // Responses are serialised by JSON.stringify; their schemas are for the reference, and the tests validate against them [D2].
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  addClientCaller(app);
  addInternalCaller(app);
  addRequestOrigin(app, proxies);
  addUnknownNames(app);
  addRequestRecord(app, record);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  deps.additions?.extend?.(app, listener);
  addProtocolGuard(app, beforeRefusal);
  addQueryEncodingCheck(app);
  addLargeResponses(app);
  addCompression(app);
  addResponseTimeout(app, takeMs);
  app.addHook('onSend', (request, reply, payload, done) => {
    closeAfterEarlyAnswer(request.raw, reply.raw, lingerMs, () => done(null, payload));
  });
  addEmptyParameters(app, beforeRefusal);
  addUnrouted(app, paths, { listener, before: beforeRefusal });
  return app;
}

/** Removes the `Content-Length: 0` that Fastify adds to each 304 of a HEAD request (RFC 9110, 8.6) [platform-90]. */
function addHeadResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [...[route.onSend ?? []].flat(), removeLengthOf304];
  });
}

async function removeLengthOf304(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  return payload;
}

/** The additions of an extension to the apps of the server that it starts. */
export interface AppAdditions {
  /** Adds hooks to an app: they run after those that read the request, and before admission and the routes. */
  readonly extend?: (app: FastifyInstance, listener: Listener) => void;
  /** Further operations below `/internal/v1`. The reference does not list them. */
  readonly internalOperations?: readonly Operation<Services>[];
}
