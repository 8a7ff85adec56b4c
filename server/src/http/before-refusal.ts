import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Runs before a request with an unknown path or method is refused. It may throw to refuse for another reason, such as
 * an empty bucket of the address.
 */
export type BeforeRefusal = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
