import type { FastifyInstance, FastifyRequest } from 'fastify';
import { joinBlocks } from '../api/request-body.ts';
import { invalidField } from '../errors/api-error.ts';
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
    const bytes = joinBlocks(await reader.read(request.routeOptions.bodyLimit));
    request.rawBody = bytes;
    if (bytes.length === 0) return undefined;
    await reader.reserveParsing(bytes);
    return parseJson(bytes);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'must be UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'must be JSON');
  }
}

/** Refuses a body that is not an object [platform-22]. An optional body that is absent counts as an empty object. */
export function requireObjectBody(request: FastifyRequest, isOptional = false): void {
  if (isOptional && request.body === undefined) request.body = {};
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidField('body', 'must be a JSON object');
}
