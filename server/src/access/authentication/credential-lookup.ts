import { atEndOfTurn } from '../../lib/end-of-turn.ts';
import { inThisSpan } from '../../lib/tracing.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type CredentialRow, findCredential } from './find-credential.ts';

/**
 * Looks up the keys of requests. Requests with the same key in one turn of the event loop share a look-up, which is
 * sent after the last of them arrived, so that none sees an older state: a revoked key is refused by the next
 * request, as if each had its own look-up [platform-4] [D4]. Nothing is cached.
 */
export class CredentialLookup {
  readonly #database: Queryable;
  /** Look-ups that are not sent yet, by public id. */
  readonly #waiting = new Map<string, Promise<CredentialRow | null>>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Returns the stored part of the key; null if there is none. Rejects like `Queryable.run`. */
  find(keyId: string): Promise<CredentialRow | null> {
    const shared = this.#waiting.get(keyId);
    if (shared !== undefined) return shared;
    const asked = new Promise<CredentialRow | null>((resolve) => {
      const send = () => {
        this.#waiting.delete(keyId);
        resolve(findCredential(this.#database, keyId));
      };
      // The statement belongs to the span of the first request.
      atEndOfTurn(inThisSpan(send));
    });
    this.#waiting.set(keyId, asked);
    return asked;
  }
}
