import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import { type AuthenticationFailure, bearerToken } from './bearer.ts';

/** Checks requests of the internal listener against the administrator's tokens, in constant time. */
export class AdminToken {
  readonly #digests: readonly Buffer[];

  /** Accepts each of the tokens, so that a new one can be introduced while the old one is in use. */
  constructor(...tokens: readonly string[]) {
    this.#digests = tokens.map((token) => sha256(token));
  }

  /** Returns null if the request has the token, otherwise why it is refused. */
  check(rawHeaders: readonly string[]): AuthenticationFailure | null {
    const bearer = bearerToken(rawHeaders);
    if ('failure' in bearer) return bearer.failure;
    const digest = sha256(bearer.token);
    // All are compared: the time does not show which one it was.
    const matches = this.#digests.filter((one) => digestsEqual(digest, one));
    return matches.length > 0 ? null : 'wrong_secret';
  }
}
