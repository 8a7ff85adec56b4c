import type { ApiError } from '../errors/api-error.ts';
import { brokenConstraint } from '../postgres/sqlstate.ts';

/**
 * Runs a write whose foreign keys back up a check made earlier in the transaction. Under the brand's catalog lock the
 * check cannot become outdated; if a write ever bypasses that lock, the database still refuses, and the client gets the
 * same error.
 * @throws ApiError the one of `errors` that belongs to the broken constraint; other errors pass through.
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
