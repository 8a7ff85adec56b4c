import type { AccessRole } from '../../api/access.ts';
import { invalidField } from '../../errors/api-error.ts';
import { randomBase62, randomHex } from '../../lib/ids.ts';
import { sha256 } from '../../lib/secrets.ts';

/** A person or program with its own token for the internal surface. The secret is not stored. */
export interface Administrator {
  readonly rowId: number;
  /** The public part of the token, `bpa_<24 hex>`. */
  readonly id: string;
  readonly name: string;
  readonly role: AccessRole;
  /** null: all brands. */
  readonly brandIds: readonly number[] | null;
  readonly expiresAt: Date | null;
  /** Accurate to the interval at which uses are recorded. */
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
  readonly createdAt: Date;
}

export interface NewAdministratorToken {
  readonly id: string;
  /** Hash of the part after the dot only. */
  readonly secretSha256: Buffer;
  /** `bpa_<24 hex>.<40 characters>`; shown once, never stored. */
  readonly plaintext: string;
}

const tokenForm = /^(bpa_[0-9a-f]{24})\.([A-Za-z0-9]{40})$/;

/** Generates a token of 96 public and 238 secret random bits, like an API key. */
export function newAdministratorToken(): NewAdministratorToken {
  const id = `bpa_${randomHex(24)}`;
  const secret = randomBase62(40);
  return { id, secretSha256: sha256(secret), plaintext: `${id}.${secret}` };
}

/** Reads `bpa_<24 hex>.<40 characters>`; null for any other string. */
export function parseAdministratorToken(token: string): { id: string; secret: string } | null {
  const match = tokenForm.exec(token);
  return match === null ? null : { id: match[1] as string, secret: match[2] as string };
}

/** Returns whether a string has the form of a public id. Others cannot name an administrator. */
export function isAdministratorId(text: string): boolean {
  return /^bpa_[0-9a-f]{24}$/.test(text);
}

/** Returns the brands without duplicates, ascending; null: all. @throws ApiError `validation_failed` on `brand_ids` */
export function brandsOfRole(role: AccessRole, given: readonly number[] | null): readonly number[] | null {
  if (role === 'administrator') {
    if (given !== null) throw invalidField('brand_ids', 'must be null for an administrator');
    return null;
  }
  if (given === null && role === 'operator') throw invalidField('brand_ids', 'is required for an operator');
  return given === null ? null : [...new Set(given)].sort((a, b) => a - b);
}
