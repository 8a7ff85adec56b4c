import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { addErrorHandler } from './error-handler.ts';
import { addJsonBodies } from './json-body.ts';
import type { Listener, Metrics } from './metrics.ts';
import { originForm } from './protocol-faults.ts';
import { addProtocolGuard, takeOverProtocolAnswers } from './protocol-guard.ts';
import {
  addAllMethods,
  addEmptyParameters,
  addNotFound,
  type BeforeRefusal,
  refuseUnroutable,
} from './refusals.ts';
import { requestIdOf } from './request-id.ts';
import { requestRecorder } from './request-record.ts';
import { answerUnreadable, type CountAddress } from './unreadable-requests.ts';
import { createValidatorCompiler } from './validation/validator.ts';

const mebibyte = 1024 * 1024;

/**
 * What both listeners have in common: request ids, `Cache-Control: no-store`, JSON bodies of up to 1 MiB, validation,
 * the error envelope, one log line and one count for each request.
 */
export function createApp(
  listener: Listener,
  logger: FastifyBaseLogger,
  metrics: Metrics,
  beforeRefusal: BeforeRefusal,
  countAddress: CountAddress = async () => null,
): FastifyInstance {
  const record = requestRecorder(listener, metrics);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: mebibyte,
    forceCloseConnections: 'idle',
    // The protocol guard answers that, in the envelope.
    http: { requireHostHeader: false },
    frameworkErrors: refuseUnroutable(beforeRefusal, record),
    clientErrorHandler: (error, socket) => onClientError(error, socket),
    rewriteUrl: ({ url = '' }) => originForm(url),
    // What still comes in on an open connection while the server stops is served like the rest.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    exposeHeadRoutes: false,
  });
  takeOverProtocolAnswers(app.server);
  const onClientError = answerUnreadable(app.server, { listener, metrics, logger, countAddress });
  addAllMethods(app);
  addJsonBodies(app);
  addErrorHandler(app);
  app.setValidatorCompiler(createValidatorCompiler());
  // Responses are made by JSON.stringify; their schemas are for the reference, and the tests hold them to it.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.decorateRequest('caller', null);

  app.addHook('onRequest', async (request, reply) => {
    record(request, reply);
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  });
  addProtocolGuard(app, beforeRefusal);
  addEmptyParameters(app, beforeRefusal);
  addNotFound(app, beforeRefusal);
  return app;
}
