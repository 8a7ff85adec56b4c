import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { TurnError } from '../lib/turn-wait.ts';
import { clientGone, onceOver } from './client-connections.ts';
import { hasCredential, ownerOf } from './request-owner.ts';

/** Larger responses count, in bytes before compression. */
const largeBytes = 1024 * 1024;
/** Milliseconds for which an owner's requests of an operation are expected to have a large response. */
const expectedMs = 60_000;
const waitLimitMs = 25_000;

/** Large responses in memory, from before they are read until their client has them. */
const places = new Semaphore({ total: 9, perOwner: 3, maxWaiting: 512 });
const expected = new LRUCache<string, true>({ max: 10_000, ttl: expectedMs });

declare module 'fastify' {
  interface FastifyRequest {
    hasLargePlace: boolean;
  }
}

/**
 * Limits the large responses in memory, in total and for each owner: a client that sends requests and reads nothing would fill it
 * with those of a minute [platform-97] [D294]. That a response is large shows when it is made; from then on, those of the same
 * owner and operation wait for a place before they are made.
 */
export function addLargeResponses(app: FastifyInstance): void {
  app.decorateRequest('hasLargePlace', false);
  app.addHook('preHandler', async (request, reply) => {
    if (expected.size === 0 || !expected.has(nameOf(request))) return;
    await takePlace(request, reply).catch((error: unknown) => {
      if (!(error instanceof TurnError)) throw error;
      throw new ApiError('service_unavailable', {
        message: 'Earlier large responses to this client are still being read: read them first.',
        headers: { 'retry-after': '5' },
      });
    });
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // Without a credential there are only bodies that all requests share.
    if (lengthOf(payload) <= largeBytes || !hasCredential(request)) return payload;
    expected.set(nameOf(request), true);
    // One that waits too long is sent all the same: it is made already.
    if (!request.hasLargePlace) await takePlace(request, reply).catch(() => {});
    return payload;
  });
}

/** Takes a place until the connection has the response, or is closed. @throws TurnError; what `clientGone` aborts with */
async function takePlace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const options = { limitMs: waitLimitMs, gone: () => clientGone(reply) };
  const place = await places.take(ownerOf(request), 1, options);
  request.hasLargePlace = true;
  onceOver(reply, () => place.release());
}

function nameOf(request: FastifyRequest): string {
  return `${ownerOf(request)} ${request.routeOptions.config?.operationId ?? ''}`;
}

function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}
