import { hash } from 'node:crypto';
import type { ReadOperation } from '../api/operation.ts';
import type { OperationRequest } from '../api/operation-request.ts';
import type { ReplyVersion } from '../api/reply.ts';
import { scopes } from '../api/scopes.ts';
import { representationOf } from './representation.ts';

/**
 * The data part of an entity tag: 22 characters that reveal nothing about the underlying counters. One state
 * has a different digest for each path, query, brand and set of scopes, so that two different responses never
 * share a tag. `identity` is that of `readIdentityOf`.
 */
export function digestOf(operation: ReadOperation<never>, identity: string, state: string): string {
  const what = `${representationOf(operation)}\n${identity}\n${state}`;
  return hash('sha256', what, 'base64url').slice(0, 22);
}

/**
 * Returns a strong tag: `"<digest>"`, or `"<digest>.<instant>"` for a response that changes with the clock after that
 * instant.
 */
export function entityTag(digest: string, freshUntil: ReplyVersion['freshUntil']): string {
  return freshUntil === undefined || freshUntil === null
    ? `"${digest}"`
    : `"${digest}.${freshUntil.toString(36)}"`;
}

const form = /^"([A-Za-z0-9_-]{22})(?:\.([0-9a-z]{1,10}))?"$/;

/** Returns whether the tag, which the client sent, still identifies the response at the time `now`. */
export function isCurrent(tag: string, digest: string, now: number): boolean {
  const [, sent, freshUntil] = form.exec(tag) ?? [];
  return sent === digest && (freshUntil === undefined || now <= Number.parseInt(freshUntil, 36));
}

/**
 * Returns everything that determines the body of a read, except for the data and the clock: operation, brand, scopes,
 * path, query, and the prefix of links. Path and query are JSON, so no value in them can make two reads look alike.
 */
export function readIdentityOf(
  { id }: Pick<ReadOperation<never>, 'id'>,
  { caller, params, query, pathPrefix }: OperationRequest<unknown, unknown, unknown>,
): string {
  const held = scopes.filter((scope) => caller.scopes.has(scope)).join(' ');
  return [id, caller.brandId, held, inOneOrder(params), inOneOrder(query), pathPrefix].join('\n');
}

/** In one order, regardless of the client's. Values hold no objects. */
function inOneOrder(values: unknown): string {
  const given = values ?? {};
  return JSON.stringify(given, Object.keys(given).sort());
}
