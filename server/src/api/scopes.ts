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

export interface Caller {
  readonly brandId: number;
  readonly keyId: string;
  /** Shared by a key, its rotated successors and the keys issued to replace it. */
  readonly lineageId: number;
  readonly keyName: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date | null;
}
