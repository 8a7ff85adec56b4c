import { digestsEqual, sha256 } from '../../lib/sha256.ts';

export class AdminToken {
  readonly #digests: readonly Buffer[];
  readonly #tokens: readonly string[];

  /** Accepts each of the tokens, so that a new one can be introduced while the old one is in use. */
  constructor(...tokens: readonly string[]) {
    this.#tokens = tokens;
    this.#digests = tokens.map((token) => sha256(token));
  }

  matches(token: string): boolean {
    const digest = sha256(token);
    // All are compared: the time does not show which one it was.
    return this.#digests.filter((one) => digestsEqual(digest, one)).length > 0;
  }

  /** Returns whether the text contains one of them. Only for callers who may administer: the search is not in constant time. */
  isIn(text: string): boolean {
    return this.#tokens.some((token) => text.includes(token));
  }
}
