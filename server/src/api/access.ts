import type { Scope } from './scopes.ts';

/**
 * Access to an operation of the internal surface. Administrators may call every operation. Operators call those of their
 * brands. Support has the same operations, but only GET.
 *
 * - `administrators`: Administrators only.
 * - `brand`: The brand is `:id` in the path. Another brand than the caller's is 404 before the handler runs.
 * - `brand-resource`: A resource of a brand, named by its own id. The handler has to respond 404 outside of `brandIds`.
 * - `brands`: Resources of several brands. The handler has to leave out what is outside of `brandIds`.
 */
export type InternalAccess = 'administrators' | 'brand' | 'brand-resource' | 'brands';

/** Access to an operation of the client API: any of these scopes of an API key; an empty list = every valid key. */
type ScopeAccess = readonly Scope[];

export type OperationAccess = ScopeAccess | InternalAccess;

/** Returns whether the operation belongs to the internal surface. */
export function isInternal(access: OperationAccess): access is InternalAccess {
  return typeof access === 'string';
}
