import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField } from '../errors/api-error.ts';
import { parseJson } from '../lib/parse-json.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The exact bytes of the body, for the fingerprint of an idempotent request; null without a body. */
    rawBody: Buffer | null;
  }
}

/**
 * Reads JSON bodies, keeping their bytes. A body that is not UTF-8 or not JSON is `validation_failed` on `body` [platform-22]; an
 * empty one counts as absent. A key named `__proto__` is ignored like any other unknown key [D5].
 */
export function addJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const reader = bodies.open(request, { acceptsGzip: false });
    const bytes = await reader.read(request.routeOptions.bodyLimit);
    request.rawBody = Buffer.from(bytes.buffer);
    if (bytes.length === 0) return undefined;
    await reader.reserveParsing(bytes);
    const parsed = parseJson(bytes);
    if ('problem' in parsed) throw invalidField('body', parsed.problem);
    return parsed.value;
  });
}

/** Refuses a body that is not an object [platform-22]. An optional body that is absent counts as an empty object. */
export function requireObjectBody(request: FastifyRequest, isOptional = false): void {
  if (isOptional && request.body === undefined) request.body = {};
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidField('body', 'must be a JSON object');
}
