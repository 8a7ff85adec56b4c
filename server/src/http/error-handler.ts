import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { ApiError, notFound } from '../errors/api-error.ts';
import { type DatabaseTrouble, troubleOf } from '../postgres/database-errors.ts';
import { errorBody } from './error-body.ts';
import type { Listener, Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    refusal: ApiError | null;
  }
}

/** Sends every failure in the error envelope. Other errors are converted to an ApiError; unexpected ones are logged. */
export function addErrorHandler(app: FastifyInstance, listener: Listener, metrics: Metrics): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toApiError(error, request.routeOptions.config?.contentTypes);
    if (known.status === 500) request.log.error({ err: error }, 'unexpected failure');
    else if (known.code === 'service_unavailable') {
      const trouble = troubleOf(error);
      if (trouble !== null) metrics.databaseRefused(trouble);
      const { message } = error;
      request.logged = { reason: trouble === null ? message : `${refusalLine(trouble)}: ${message}` };
    }
    return sendError(reply, known, listener);
  });
}

export function sendError(reply: FastifyReply, error: ApiError, listener: Listener): FastifyReply {
  reply.request.refusal = error;
  const body = errorBody(error, listener, reply.request.origin.pathPrefix);
  return reply
    .code(error.status)
    .headers(error.details.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** `contentTypes`: those that the operation takes; default: JSON. */
export function toApiError(error: FastifyError, contentTypes?: readonly string[]): ApiError {
  if (error instanceof ApiError) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', contentTypes && { message: mustBe(contentTypes) });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('bad_request');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound();
    default: {
      // The framework sets a status on errors of the client, such as a disconnect in the middle of a body.
      if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError('bad_request');
      const trouble = troubleOf(error);
      return trouble === null ? new ApiError('server_error') : databaseRefusal(trouble);
    }
  }
}

/** Names every type that the operation takes [platform-24]. */
function mustBe(contentTypes: readonly string[]): string {
  return `The body must be ${contentTypes.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`;
}

interface Refusal {
  /** The message for the client. */
  readonly message?: string;
  readonly line: string;
  readonly retryAfterSeconds: number;
}

const refusals: Readonly<Record<DatabaseTrouble, Refusal>> = {
  unreachable: { line: 'database unreachable', retryAfterSeconds: 5 },
  disk_full: {
    message: 'The database’s disk is full. Writes are rejected until space is available.',
    line: 'database disk full',
    retryAfterSeconds: 30,
  },
  read_only: {
    message: 'The database is currently read-only. Writes are rejected.',
    line: 'database read-only',
    retryAfterSeconds: 30,
  },
  out_of_memory: {
    message: 'The database is currently out of memory.',
    line: 'database out of memory',
    retryAfterSeconds: 5,
  },
  no_turn: {
    message: 'Too many requests are waiting for the database.',
    line: 'timed out waiting for a connection or turn',
    retryAfterSeconds: 5,
  },
  overloaded: {
    message: 'The database is currently overloaded.',
    line: 'database overloaded',
    retryAfterSeconds: 5,
  },
};

/** Returns the 503 for a database trouble; it names a full disk [platform-21]. */
function databaseRefusal(trouble: DatabaseTrouble): ApiError {
  const { message, retryAfterSeconds } = refusals[trouble];
  return new ApiError('service_unavailable', {
    ...(message !== undefined && { message }),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

function refusalLine(trouble: DatabaseTrouble): string {
  return refusals[trouble].line;
}
