import type { FastifyInstance, RouteOptions } from 'fastify';

/**
 * Adds a route whose handler gets the body of these media types as the stream that it is; other types are 415. It has
 * a scope of its own, because how bodies are read belongs to a scope.
 */
export function addUnreadRoute(
  app: FastifyInstance,
  route: RouteOptions,
  contentTypes: readonly string[],
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...contentTypes], (_request, body, done) => done(null, body));
    scope.route(route);
  });
}
