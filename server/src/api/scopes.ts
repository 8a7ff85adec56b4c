/** Every scope a key may hold: `{domain}.{resource}:{action}`, no wildcards [platform-7]. */
export const scopes = [
  'catalog.products:read',
  'catalog.products:write',
  'catalog.axes:write',
  'catalog.variants:write',
  'catalog.stock:read',
  'catalog.stock:write',
  'catalog.stock:ingest',
  'analytics.metrics:read',
  'analytics.users:read',
] as const;

export type Scope = (typeof scopes)[number];

/** The buckets of requests with a key [platform-46]. */
export type KeyBucketName =
  | 'catalog_key_reads'
  | 'catalog_key_writes'
  | 'catalog_brand'
  | 'analytics_key'
  | 'analytics_brand';

/** Requests per minute that count now, those of the key and its brand included; 0: not limited. */
export type LimitsNow = Readonly<Record<KeyBucketName, number>>;

export interface Caller {
  readonly brandId: number;
  readonly keyId: string;
  /** Shared by a key, its rotated successors and the keys issued to replace it. */
  readonly lineageId: number;
  readonly keyName: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date | null;
  /** The limits of an API key; absent for other callers. */
  readonly limits?: LimitsNow;
}
