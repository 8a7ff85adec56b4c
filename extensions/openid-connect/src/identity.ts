/** The claims of a user, as the identity provider has signed or sent them. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Identity {
  /** Identifies the user in the audit: `ada@example.com (login.example/realms/ops)`. */
  readonly actor: string;
  /** The user's own name; null if the provider does not send one. */
  readonly actorName: string | null;
  readonly issuer: string;
  /** The identifier that the provider never gives to another user. */
  readonly subject: string;
}

/** Characters of a name in the audit; a subject has 255 at most. */
const longestName = 255;

/**
 * Names the user by the email address, else by `preferred_username`, else by the subject, always with the issuer, so that no
 * name of a user equals the id of an administrator or `admin-token` [internal-130]. `issuer`: as the provider signs it.
 */
export function identityOf(claims: Claims, issuer: string, subject: string): Identity {
  // An address that the user may have made up identifies nobody.
  const email = claims['email_verified'] === false ? null : nameIn(claims['email']);
  const readable = email ?? nameIn(claims['preferred_username']) ?? nameIn(subject) ?? 'unnamed';
  const source = issuer.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return { actor: `${readable} (${source})`, actorName: nameIn(claims['name']), issuer, subject };
}

/**
 * Returns the values of the roles claim: the strings of a list, or a single string. The claim is named as in the token or, if
 * the token has no claim of this name, by a path with dots, such as `realm_access.roles`. null: the claim does not exist.
 */
export function claimValues(claims: Claims, name: string): readonly string[] | null {
  const found = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
  if (found === undefined || found === null) return null;
  return [found].flat().filter((value) => typeof value === 'string');
}

function valueAt(claims: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return claims;
  if (typeof claims !== 'object' || claims === null || !Object.hasOwn(claims, name)) return undefined;
  return valueAt((claims as Claims)[name], rest);
}

/** Returns text that fits in a line of a list; null for anything else. */
function nameIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  if (name === '' || name.length > longestName || !name.isWellFormed() || misleading.test(name)) return null;
  return name;
}

/** Controls, line separators, and the marks that reverse the direction of what follows. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
