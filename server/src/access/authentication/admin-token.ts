import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import { type AuthenticationFailure, bearerToken } from './bearer.ts';

/** Checks requests of the internal listener against the administrator's token, in constant time. */
export class AdminToken {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = sha256(token);
  }

  /** Returns null if the request has the token, otherwise why it is refused. */
  check(rawHeaders: readonly string[]): AuthenticationFailure | null {
    const bearer = bearerToken(rawHeaders);
    if ('failure' in bearer) return bearer.failure;
    return digestsEqual(sha256(bearer.token), this.#digest) ? null : 'wrong_secret';
  }
}
