import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Runs before a request that no operation answers (unknown path, or method) is refused; it may refuse for another
 * reason by throwing, such as an empty bucket of the address.
 */
export type BeforeRefusal = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
