export const shortestSecret = 32;

/** The characters of an admin token: visible ASCII without the comma, which separates two tokens. */
export const tokenCharacters = /^[\x21-\x2b\x2d-\x7e]+$/;

export const secretCharacters = /^[^,]+$/;

export function isStrongSecret(secret: string, characters: RegExp): boolean {
  return secret.length >= shortestSecret && characters.test(secret);
}
