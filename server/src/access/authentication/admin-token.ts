import { digestsEqual, sha256 } from '../../lib/sha256.ts';

export class AdminToken {
  readonly #digests: readonly Buffer[];

  /** Accepts each of the tokens, so that a new one can be introduced while the old one is in use. */
  constructor(...tokens: readonly string[]) {
    this.#digests = tokens.map((token) => sha256(token));
  }

  matches(token: string): boolean {
    const digest = sha256(token);
    // All are compared: the time does not show which one it was.
    return this.#digests.filter((one) => digestsEqual(digest, one)).length > 0;
  }
}
