import type { ApiError } from '../errors/api-error.ts';
import { brokenConstraint } from '../postgres/sqlstate.ts';

/**
 * Runs a write whose foreign keys stand behind a check that was made before it. It runs under the brand's catalog
 * lock, so the check cannot be overtaken; should anything ever write without that lock, the database still
 * refuses, and the client reads the same error.
 * @throws ApiError the one of `errors` that belongs to the constraint that was broken; what else fails passes through.
 */
export async function withReferences<T>(
  write: Promise<T>,
  errors: Readonly<Record<string, () => ApiError>>,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const known = errors[brokenConstraint(error) ?? ''];
    throw known === undefined ? error : known();
  }
}
