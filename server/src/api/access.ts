import type { Queryable } from '../postgres/database.ts';

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
  /** Shared by a key, its rotated successors and the keys issued to replace it; null: the caller has no API key. */
  readonly lineageId: number | null;
  readonly keyName: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date | null;
  /** The limits of an API key; absent for other callers. */
  readonly limits?: LimitsNow;
}

export const accessRoles = ['administrator', 'operator', 'support'] as const;

export type AccessRole = (typeof accessRoles)[number];

/** The brands that a caller of the internal surface may see; null: all. */
export type BrandReach = readonly number[] | null;

export interface InternalCaller {
  /** Identifies the caller in the audit: `admin-token`, the id of an administrator, or a user of single sign-on. */
  readonly actor: string;
  /** A name for people; null if there is none. */
  readonly actorName: string | null;
  readonly role: AccessRole;
  readonly brandIds: BrandReach;
  /** The session whose cookie admitted the request; null: a bearer token did. */
  readonly session: { readonly id: number; readonly expiresAt: Date } | null;
}

/** A resource of a brand that is named by its own id: the brand is looked up before the handler runs. */
export interface OwnedAccess {
  /** Returns the brand of the resource that the path names; null if there is none, or if it belongs to no brand. */
  readonly findBrandId: (
    database: Queryable,
    params: Readonly<Record<string, string>>,
  ) => Promise<number | null>;
}

/**
 * Access to an operation of the internal surface [D163]. Administrators may call all, operators those of their brands, support
 * these with GET. A foreign brand is 404 before the handler runs.
 *
 * - `one-brand`: it is `:id` in the path
 * - `OwnedAccess`: a resource of a brand, named by its id
 * - `filtered-by-brand`: the handler leaves out what is outside of `brandIds`
 * - `signed-in`: the caller's session, any role and method
 * - `sign-in`, `anyone`: no credential; sign-ins count by address
 */
export type InternalAccess =
  | 'administrators'
  | 'one-brand'
  | 'filtered-by-brand'
  | 'signed-in'
  | 'sign-in'
  | 'anyone'
  | OwnedAccess;

/** Access to an operation of the client API: any of these scopes of an API key; an empty list = every valid key. */
type ScopeAccess = readonly Scope[];

/** Access of callers of the internal surface who are known, so that the audit can name them. */
export type CallerAccess = Exclude<InternalAccess, 'sign-in' | 'anyone'>;

export type OperationAccess = ScopeAccess | InternalAccess;

export function isOpen(access: OperationAccess): boolean {
  return access === 'sign-in' || access === 'anyone';
}

export function isInternal(access: OperationAccess): access is InternalAccess {
  return !Array.isArray(access);
}
