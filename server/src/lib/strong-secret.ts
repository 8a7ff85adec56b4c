/** The length of the shortest secret that is accepted, in characters. */
export const shortestSecret = 32;

/** The characters of an admin token: visible ASCII without the comma, which separates two tokens. */
export const tokenCharacters = /^[\x21-\x2b\x2d-\x7e]+$/;

/** The characters of a cursor secret. */
export const secretCharacters = /^[^,]+$/;

/** Returns whether the secret is long enough and has only the given characters. */
export function isStrongSecret(secret: string, characters: RegExp): boolean {
  return secret.length >= shortestSecret && characters.test(secret);
}
