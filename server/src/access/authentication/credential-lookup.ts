import { atEndOfTurn } from '../../lib/end-of-turn.ts';
import { inThisSpan } from '../../lib/tracing.ts';
import type { Queryable } from '../../postgres/database.ts';
import { sharedReadSize } from '../../postgres/shared-reads.ts';
import { type CredentialRow, findCredential, findCredentials } from './find-credential.ts';

interface Waiting {
  readonly asked: Promise<CredentialRow | null>;
  resolve(row: CredentialRow | null): void;
  reject(error: unknown): void;
}

/**
 * Looks up the keys of requests. The requests of one turn of the event loop share look-ups, which are sent after the
 * last of them arrived, so that none sees an older state: a revoked key is refused by the next request, as if each had
 * its own look-up [platform-4] [D4]. Nothing is cached.
 */
export class CredentialLookup {
  readonly #database: Queryable;
  /** Look-ups that are not sent yet, by public id. */
  #waiting = new Map<string, Waiting>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Returns the stored part of the key; null if there is none. Rejects like `Queryable.run`. */
  find(keyId: string): Promise<CredentialRow | null> {
    const shared = this.#waiting.get(keyId);
    if (shared !== undefined) return shared.asked;
    const { promise, resolve, reject } = Promise.withResolvers<CredentialRow | null>();
    // The statements belong to the span of the first request.
    if (this.#waiting.size === 0) atEndOfTurn(inThisSpan(() => this.#send()));
    this.#waiting.set(keyId, { asked: promise, resolve, reject });
    return promise;
  }

  #send(): void {
    const all = [...this.#waiting];
    this.#waiting = new Map();
    for (let start = 0; start < all.length; start += sharedReadSize)
      void this.#lookUp(all.slice(start, start + sharedReadSize));
  }

  async #lookUp(some: readonly (readonly [string, Waiting])[]): Promise<void> {
    try {
      const rows = await this.#read(some.map(([keyId]) => keyId));
      for (const [keyId, { resolve }] of some) resolve(rows.get(keyId) ?? null);
    } catch (error) {
      for (const [, { reject }] of some) reject(error);
    }
  }

  async #read(keyIds: readonly string[]): Promise<ReadonlyMap<string, CredentialRow | null>> {
    const [only] = keyIds;
    if (keyIds.length > 1 || only === undefined) return findCredentials(this.#database, keyIds);
    return new Map([[only, await findCredential(this.#database, only)]]);
  }
}
