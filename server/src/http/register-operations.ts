import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import type { TSchema } from 'typebox';
import { readIdempotencyKey } from '../access/idempotency/idempotency-key.ts';
import {
  type AnyOperation,
  type IdempotencyRule,
  idempotencyRuleOf,
  type Operation,
  type ServiceContext,
} from '../api/operation.ts';
import { notFound } from '../errors/api-error.ts';
import { pauseAfterLargeBody, type RequestBodies, requireObjectBody } from './bodies/request-bodies.ts';
import { isConditionalRead } from './docs/response-headers.ts';
import { executeRead, executeStream, executeUnmanaged } from './execute-operation.ts';
import { executeClientWrite, executeInternalWrite } from './execute-write.ts';
import type { Metrics } from './metrics.ts';
import { representationOf } from './representation.ts';
import type { ResponseCache } from './response-cache.ts';
import type { WriteRunner } from './run-writes.ts';
import { unknownNameHooks } from './unknown-name-hooks.ts';
import { createPathCheck } from './validation/validator.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for paths without an operation. */
    readonly operationId?: string;
    /** Those that a streamed body may have; absent: JSON. */
    readonly contentTypes?: readonly string[];
  }
}

export interface RegistrationOptions<Context extends ServiceContext> {
  readonly prefix: string;
  readonly context: Context;
  readonly metrics: Metrics;
  /** Runs the writes of API keys; absent on the internal listener. */
  readonly writes?: WriteRunner;
  readonly bodies: RequestBodies;
  readonly responses: ResponseCache;
  /** Admits or refuses a request; throws the ApiError of the refusal. */
  readonly admit: (operation: AnyOperation) => onRequestAsyncHookHandler;
  /** True if GET paths answer HEAD as well. */
  readonly head: boolean;
}

export function registerOperations<Context extends ServiceContext>(
  app: FastifyInstance,
  operations: readonly Operation<Context>[],
  options: RegistrationOptions<Context>,
): void {
  const { prefix, context, metrics, writes, bodies, responses, admit, head } = options;
  const inFlight = new Set<string>();
  for (const operation of operations) {
    const url = prefix + operation.path;
    // At startup, not with the first request, because it reads files.
    if (isConditionalRead(operation)) representationOf(operation);
    const idempotency = idempotencyRuleOf(operation);
    const unknownNames = unknownNameHooks(operation, metrics);
    const route: RouteOptions = {
      method: operation.method,
      url,
      exposeHeadRoute: head && operation.method === 'GET',
      schema: requestSchema(operation),
      config: {
        operationId: operation.id,
        ...(operation.kind === 'stream' && { contentTypes: operation.contentTypes }),
        ...(operation.secretField !== undefined && { revealsSecret: true }),
      },
      ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
      onRequest: [
        admit(operation),
        ...(idempotency === 'ignored' ? [] : [checkIdempotencyHeader(idempotency)]),
        unknownNames.onRequest,
      ],
      preValidation: [
        ...(operation.body !== undefined && operation.kind !== 'stream'
          ? [async (request: FastifyRequest) => requireObjectBody(request, operation.bodyOptional)]
          : []),
        pauseAfterLargeBody,
        unknownNames.preValidation,
        pauseAfterLargeBody,
      ],
      // A preHandler reports schema errors together with unknown names.
      attachValidation: true,
      preHandler: [
        unknownNames.preHandler,
        ...(operation.params === undefined ? [] : [checkPath(operation.params)]),
      ],
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        if (operation.kind === 'read') return executeRead(operation, { context, responses }, request, reply);
        if (operation.kind === 'unmanaged') return executeUnmanaged(operation, context, request, reply);
        if (operation.kind === 'stream')
          return executeStream(operation, { context, metrics, bodies }, request, reply);
        if (operation.kind === 'client-write') {
          const execution = { context, metrics, writes: writes as WriteRunner };
          return executeClientWrite(operation, execution, request, reply);
        }
        return executeInternalWrite(operation, { context, metrics, inFlight }, request, reply);
      },
    };
    if (operation.kind === 'stream') addUnreadRoute(app, route, operation.contentTypes);
    else app.route(route);
  }
}

function requestSchema({ kind, query, body }: AnyOperation): FastifySchema {
  return {
    ...(query !== undefined && { querystring: query }),
    ...(body !== undefined && kind !== 'stream' && { body }),
  };
}

/** Checks existence after the schema [platform-11] [platform-13] [D44]. */
function checkPath(params: TSchema): preHandlerAsyncHookHandler {
  const canExist = createPathCheck(params);
  return async (request) => {
    if (!canExist(request.params)) throw notFound();
  };
}

/** Checks the header before the body [platform-11]. */
function checkIdempotencyHeader(rule: IdempotencyRule): onRequestAsyncHookHandler {
  return async (request) => {
    readIdempotencyKey(request.headers['idempotency-key'], rule);
  };
}

/** Adds a route whose handler reads the body; other types are 415. Content type parsers belong to a scope, so it has one. */
function addUnreadRoute(app: FastifyInstance, route: RouteOptions, contentTypes: readonly string[]): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...contentTypes], (_request, _body, done) => done(null));
    scope.route(route);
  });
}
