import type { KeyBucketName, LimitsNow } from '../api/access.ts';

/** Returns the limits against which a request counts: that of its key, then that of its brand [platform-48]. */
export function limitNamesOf(
  domain: 'catalog' | 'analytics',
  isRead: boolean,
): readonly [KeyBucketName, KeyBucketName] {
  if (domain === 'analytics') return ['analytics_key', 'analytics_brand'];
  return [isRead ? 'catalog_key_reads' : 'catalog_key_writes', 'catalog_brand'];
}

export type Limits = Readonly<Partial<Record<KeyBucketName, number>>>;

/** The limits of a key or a brand that replace the configured ones, as stored. */
export interface OwnLimits {
  readonly limits: Limits;
  /** An instant, after which the configured limits hold again; null: no end. */
  readonly until: string | null;
}

/** Returns whether own limits count at a time in milliseconds since the Unix epoch. */
export function areInForce(own: OwnLimits | null, now: number): own is OwnLimits {
  return own !== null && (own.until === null || Date.parse(own.until) > now);
}

/** Returns the limits by which a request of a key differs from the configured ones; undefined: by none. */
export function limitsInForce(
  own: { readonly ofKey: OwnLimits | null; readonly ofBrand: OwnLimits | null },
  now: number,
): Limits | undefined {
  const key = areInForce(own.ofKey, now) ? own.ofKey.limits : undefined;
  const brand = areInForce(own.ofBrand, now) ? own.ofBrand.limits : undefined;
  return key && brand ? { ...brand, ...key } : (key ?? brand);
}

export function limitChanges(
  before: OwnLimits | null,
  after: OwnLimits | null,
): Record<string, { from: number | string | null; to: number | string | null }> {
  const flat = (own: OwnLimits | null): Record<string, number | string | null> =>
    own === null ? {} : { ...own.limits, until: own.until };
  const [old, now] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = names.filter((name) => (old[name] ?? null) !== (now[name] ?? null));
  return Object.fromEntries(
    changed.map((name) => [name, { from: old[name] ?? null, to: now[name] ?? null }]),
  );
}

/** An own limit of a key that the limit of its brand makes useless. */
export interface LimitExcess {
  readonly keyId: string;
  readonly name: KeyBucketName;
  readonly limit: number;
  readonly ofBrand: number;
}

/** Returns the own limits of a key that are above those that count for its brand [internal-182]. */
export function excessesOf(keyId: string, own: OwnLimits | null, ofBrand: LimitsNow): LimitExcess[] {
  return Object.entries(own?.limits ?? {}).flatMap(([given, limit]) => {
    const name = given as KeyBucketName;
    const most = name === 'analytics_key' ? ofBrand.analytics_brand : ofBrand.catalog_brand;
    return most > 0 && limit > most ? [{ keyId, name, limit, ofBrand: most }] : [];
  });
}
