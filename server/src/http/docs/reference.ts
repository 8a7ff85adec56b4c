import scalarReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { clientDocument } from './client-document.ts';

// Whatever the page's script would like to load from elsewhere, the browser does not.
const onlyFromHere = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
].join('; ');

/** Serves `/openapi.json` and the reference at `/docs`, which is complete without any other host. */
export function addReference(app: FastifyInstance): void {
  const document = clientDocument();
  const json = JSON.stringify(document, null, 2);
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(json),
  );
  void app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', onlyFromHere);
    });
    await scope.register(scalarReference, {
      routePrefix: '/docs',
      configuration: { content: document, withDefaultFonts: false, hideClientButton: true, telemetry: false },
    });
  });
}
