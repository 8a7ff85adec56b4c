import type { FastifyInstance, RouteOptions } from 'fastify';

/**
 * Adds a route whose handler reads the body of these media types itself; other types are 415. It has its own scope,
 * because content type parsers belong to a scope.
 */
export function addUnreadRoute(
  app: FastifyInstance,
  route: RouteOptions,
  contentTypes: readonly string[],
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...contentTypes], (_request, _body, done) => done(null));
    scope.route(route);
  });
}
