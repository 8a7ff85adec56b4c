import type { InternalAccess, InternalCaller } from '../api/access.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { Queryable } from '../postgres/database.ts';

/** The parts of a request that decide whether a role permits it. */
export interface PermittedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Refuses a request that the caller's role does not permit [internal-125] [D163]. The role comes before existence: a write of
 * support is 403 also for a resource that does not exist. Another brand than the caller's is 404, as if it did not exist. Only
 * callers that are restricted to brands cost a look-up, and only if the path does not name the brand.
 * @throws ApiError `forbidden`, `not_found`
 */
export async function permitCaller(
  database: Queryable,
  access: InternalAccess,
  { role, brandIds }: InternalCaller,
  { method, params }: PermittedRequest,
): Promise<void> {
  if (role === 'administrator' || access === 'signed-in') return;
  if (access === 'administrators') throw forbidden('Only administrators may do this.');
  const isRead = method === 'GET' || method === 'HEAD';
  if (role === 'support' && !isRead) throw forbidden('The role support may read and not change anything.');
  if (brandIds === null || access === 'brands') return;
  if (access === 'brand') {
    if (!brandIds.some((id) => String(id) === params['id'])) throw notFound();
  } else if (typeof access === 'object') {
    const brandId = await access.findBrandId(database, params);
    if (brandId === null || !brandIds.includes(brandId)) throw notFound();
  }
}

function forbidden(message: string): ApiError {
  return new ApiError('forbidden', { message });
}
