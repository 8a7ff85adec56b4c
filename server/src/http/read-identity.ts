import type { ReadOperation } from '../api/operation.ts';
import type { OperationRequest } from '../api/operation-request.ts';
import { scopes } from '../api/scopes.ts';

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
