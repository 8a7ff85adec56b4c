import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Returns a function that adds pages below a path: they need no key, and only their failures are logged. */
export function publicRoutes(app: FastifyInstance, prefix: string) {
  return (path: string, handler: Handler): void => {
    app.get(prefix + path, { exposeHeadRoute: true, logLevel: 'warn' }, handler);
  };
}
