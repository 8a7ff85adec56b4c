import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { AnyOperation } from '../../api/operation.ts';
import {
  maxIgnored,
  maxRefused,
  type UnknownName,
  type UnknownNameReport,
  unknownNameFinder,
  unknownNameMessage,
} from '../../api/unknown-names.ts';
import { ApiError, type FieldErrors } from '../../errors/api-error.ts';
import type { Metrics } from '../metrics.ts';
import { ignoredHeader } from './ignored-header.ts';
import { preferenceOf } from './prefer-header.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The unknown names of the request; null if there are none to report. */
    unknownNames: UnknownNames | null;
  }
}

interface UnknownNames {
  readonly isStrict: boolean;
  readonly query: readonly UnknownName[];
  body: readonly UnknownName[];
}

/** The hooks of one operation, in the order in which they run. */
export interface UnknownNameHooks {
  /** Runs after admission: a 401, 403 or 429 reports no unknown names. */
  readonly onRequest: onRequestHookHandler;
  /** Runs once the body is parsed. */
  readonly preValidation: preValidationHookHandler;
  /** Throws the errors of the schema, which the routes attach to the request. */
  readonly preHandler: preHandlerHookHandler;
}

/**
 * Ensures that nothing is ignored silently [platform-25]: the response lists unknown names in `X-Ignored`; with `Prefer:
 * handling=strict` they are a 422, together with the schema's errors. The headers are set before the operation runs, so that
 * every response has them, including replays and 404s; they are never recorded with a response.
 */
export function unknownNameHooks(operation: AnyOperation, metrics: Metrics): UnknownNameHooks {
  const findInQuery = unknownNameFinder(operation.query);
  const findInBody = unknownNameFinder(operation.body, operation.droppedFields);
  return {
    onRequest: (request, reply, done) => {
      const isStrict = preferenceOf(request.headers['prefer'], 'handling') === 'strict';
      const query = request.url.includes('?') ? findInQuery(request.query, limitOf(isStrict)) : [];
      if (isStrict || query.length > 0) {
        request.unknownNames = { isStrict, query, body: [] };
        tell(request, reply);
      }
      done();
    },
    preValidation: (request, reply, done) => {
      if (operation.kind !== 'stream' && request.body !== undefined) {
        const { isStrict = false, query = [] } = request.unknownNames ?? {};
        const body = findInBody(request.body, limitOf(isStrict));
        if (body.length > 0) {
          request.unknownNames = { isStrict, query, body };
          tell(request, reply);
        }
      }
      if (isIgnoring(request)) metrics.namesIgnored(operation.id);
      done();
    },
    preHandler: (request, _reply, done) => {
      const { validationError, unknownNames } = request;
      if (validationError !== undefined && !(validationError instanceof ApiError))
        return done(validationError);
      const found = validationError?.details.errors ?? {};
      if (unknownNames?.isStrict !== true) return done(validationError);
      const errors = withUnknownNames(found, unknownNames);
      return Object.keys(errors).length === 0 ? done() : done(new ApiError('validation_failed', { errors }));
    },
  };
}

export function unknownNameReport(
  operation: AnyOperation,
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
): UnknownNameReport {
  const { isStrict = false, query = [] } = request.unknownNames ?? {};
  return {
    isStrict,
    ignored: (body) => {
      if (body.length === 0 || isStrict) return;
      if (!isIgnoring(request)) metrics.namesIgnored(operation.id);
      request.unknownNames = { isStrict, query, body };
      tell(request, reply);
    },
  };
}

function isIgnoring({ unknownNames }: FastifyRequest): boolean {
  return unknownNames !== null && !unknownNames.isStrict;
}

function limitOf(isStrict: boolean): number {
  return isStrict ? maxRefused : maxIgnored;
}

function tell({ unknownNames }: FastifyRequest, reply: FastifyReply): void {
  if (unknownNames === null) return;
  const { isStrict, body, query } = unknownNames;
  if (isStrict) reply.header('preference-applied', 'handling=strict');
  else reply.header('x-ignored', ignoredHeader(body, query));
}

function withUnknownNames(found: FieldErrors, { query, body }: UnknownNames): FieldErrors {
  const errors = new Map(Object.entries(found));
  const add = (what: string) => (unknown: UnknownName) => {
    const messages = errors.get(unknown.path);
    const message = unknownNameMessage(unknown, what);
    if (messages !== undefined) errors.set(unknown.path, [...messages, message]);
    else if (errors.size < maxRefused) errors.set(unknown.path, [message]);
  };
  body.forEach(add('field'));
  query.forEach(add('query parameter'));
  return Object.fromEntries(errors);
}
