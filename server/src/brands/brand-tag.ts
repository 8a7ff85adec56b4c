import { hash } from 'node:crypto';
import { parseTagList } from '../lib/tag-list.ts';
import type { Brand } from './brand.ts';

/** Returns the entity tag of a brand: two changes within a millisecond have one `updated_at`, but other values. */
export function tagOf({ name, settings, updatedAt }: Brand): string {
  const { currency, defaultLanguage, lowStockThreshold, staleAfterHours } = settings;
  const values = [name, currency, defaultLanguage, lowStockThreshold, staleAfterHours, updatedAt.getTime()];
  return `"${hash('sha256', JSON.stringify(values), 'base64url').slice(0, 22)}"`;
}

/** Returns whether an `If-Match` header names the state of the brand. A malformed one names none. */
export function isMatched(brand: Brand, ifMatch: string): boolean {
  const tags = parseTagList(ifMatch);
  return tags === '*' || tags?.includes(tagOf(brand)) === true;
}

/** The `ETag` of responses with one brand, as the reference describes it. */
export const brandHeaders = {
  ETag: {
    description: 'Send it as `If-Match` with a change of the brand. Weak (`W/"…"`) in a compressed response.',
    required: true,
    schema: { type: 'string' },
    example: '"k0DmiLXTdv4YQ1nTTuz6Vg"',
  },
};
