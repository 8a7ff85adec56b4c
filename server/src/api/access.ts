import type { Scope } from './scopes.ts';

/** The roles of the callers of the internal surface. */
export const accessRoles = ['administrator', 'operator', 'support'] as const;

export type AccessRole = (typeof accessRoles)[number];

/** The caller of an operation of the internal surface. */
export interface InternalCaller {
  /** Identifies the caller in the audit: `admin-token`, for example. */
  readonly actor: string;
  /** A name for people; null if there is none. */
  readonly actorName: string | null;
  readonly role: AccessRole;
  /** The brands that the caller may see; null: all. */
  readonly brandIds: readonly number[] | null;
  /** The session whose cookie admitted the request; null: a bearer token did. */
  readonly session: { readonly id: number; readonly expiresAt: Date } | null;
}

/**
 * Access to an operation of the internal surface. Administrators may call every operation. Operators call those of their
 * brands. Support has the same operations, but only GET.
 *
 * - `administrators`: Administrators only.
 * - `brand`: The brand is `:id` in the path. Another brand than the caller's is 404 before the handler runs.
 * - `brand-resource`: A resource of a brand, named by its own id. The handler has to respond 404 outside of `brandIds`.
 * - `brands`: Resources of several brands. The handler has to leave out what is outside of `brandIds`.
 * - `signed-in`: The caller's own session, with any role and method.
 * - `sign-in`: No credential is needed. Requests count against the client's address.
 */
export type InternalAccess =
  | 'administrators'
  | 'brand'
  | 'brand-resource'
  | 'brands'
  | 'signed-in'
  | 'sign-in';

/** Access to an operation of the client API: any of these scopes of an API key; an empty list = every valid key. */
type ScopeAccess = readonly Scope[];

export type OperationAccess = ScopeAccess | InternalAccess;

/** Returns whether the operation belongs to the internal surface. */
export function isInternal(access: OperationAccess): access is InternalAccess {
  return typeof access === 'string';
}
