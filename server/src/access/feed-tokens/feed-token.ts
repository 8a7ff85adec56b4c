import { notFound } from '../../errors/api-error.ts';
import { randomBase62 } from '../../lib/ids.ts';
import { sha256 } from '../../lib/secrets.ts';

/** A token that opens the legacy stock feed path and nothing else [catalog-100]. */
export interface FeedToken {
  readonly id: number;
  readonly brandId: number;
  readonly name: string;
  /** The last four characters of the token. */
  readonly hint: string;
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
  readonly createdAt: Date;
}

export interface NewFeedToken {
  /** Hash of the whole token. */
  readonly tokenSha256: Buffer;
  readonly hint: string;
  /** `cfk_<40 characters>`; shown once, never stored. */
  readonly plaintext: string;
}

/** Generates a token of 238 random bits, of which the hint reveals 24. */
export function newFeedToken(): NewFeedToken {
  const plaintext = `cfk_${randomBase62(40)}`;
  return { plaintext, tokenSha256: sha256(plaintext), hint: plaintext.slice(-4) };
}

export function maskedFeedToken(hint: string): string {
  return `cfk_…${hint}`;
}

/** @throws ApiError `not_found` if no token can have this id */
export function feedTokenIdFromPath(text: string): number {
  // 15 digits exceed any future id and are below 2^53.
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}
