export const leakKinds = ['admin_token', 'api_key', 'feed_token', 'administrator_token'] as const;

/** An id or a secret that a string contains, at one place or several. */
export interface Mention {
  readonly kind: Exclude<Leak['kind'], 'admin_token'>;
  /** The public id, or the whole secret if its kind has no public id. */
  readonly name: string;
  /** The secrets that follow the id; several if the string has it more than once. */
  readonly secrets: ReadonlySet<string>;
}

export const leakStates = ['active', 'expired', 'revoked', 'deleted', 'unknown'] as const;

export interface Leak {
  readonly kind: (typeof leakKinds)[number];
  /** The id under which the internal surface knows it; null if it knows none. */
  readonly id: string | number | null;
  readonly brandId: number | null;
  readonly name: string | null;
  readonly state: (typeof leakStates)[number];
  /** true: the string contains the real secret. null: it contains the id only. */
  readonly secretMatches: boolean | null;
  /** true: this call revoked it. */
  readonly isRevoked: boolean;
}

export const unknownLeak: Omit<Leak, 'kind'> = {
  id: null,
  brandId: null,
  name: null,
  state: 'unknown',
  secretMatches: false,
  isRevoked: false,
};
