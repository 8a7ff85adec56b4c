import type { Queryable } from '../../postgres/database.ts';
import { type CredentialRow, findCredential } from './find-credential.ts';

/**
 * Looks keys up for requests that arrive at once. Those that name the same key within one turn of the event loop share one
 * look-up, which is sent after all of them have arrived: none is answered by what was true before it came, so a revoked key
 * is refused by the very next request, as if each had asked for itself [platform-4] [D4]. Nothing is kept.
 */
export class CredentialLookup {
  readonly #database: Queryable;
  /** Not sent yet, by public id. */
  readonly #waiting = new Map<string, Promise<CredentialRow | null>>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** The stored part of the key; null when there is none. Rejects as `Queryable.run` does. */
  find(keyId: string): Promise<CredentialRow | null> {
    const shared = this.#waiting.get(keyId);
    if (shared !== undefined) return shared;
    const asked = new Promise<CredentialRow | null>((resolve) => {
      // After everything that this turn reads from its sockets.
      setImmediate(() => {
        this.#waiting.delete(keyId);
        resolve(findCredential(this.#database, keyId));
      });
    });
    this.#waiting.set(keyId, asked);
    return asked;
  }
}
