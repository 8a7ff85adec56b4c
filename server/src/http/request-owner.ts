import type { FastifyRequest } from 'fastify';
import { countedNetwork } from '../lib/addresses.ts';
import type { Owner } from '../lib/semaphore.ts';

/**
 * Returns whose share of what requests share this one takes [platform-76] [D294]: who is signed in on the internal surface, else
 * the brand of the key, else the client's address, IPv6 by /64. Before the credential is known it is the address.
 */
export function ownerOf({ caller, internalCaller, origin }: FastifyRequest): Owner {
  if (internalCaller) return `actor ${internalCaller.actor}`;
  return caller ? caller.brandId : `address ${countedNetwork(origin.address)}`;
}

/** Returns whether the request has a credential that is known. */
export function hasCredential({ caller, internalCaller }: FastifyRequest): boolean {
  return Boolean(caller ?? internalCaller);
}
