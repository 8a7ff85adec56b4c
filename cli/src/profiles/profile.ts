/** The access of integrators: an API key at the client API. */
export interface ClientAccess {
  readonly url: string;
  readonly api_key: string;
  readonly key_id: string;
  readonly brand_id: number;
  readonly scopes: readonly string[];
}

/** The access of operators: a token at the internal surface. */
export interface AdminAccess {
  readonly url: string;
  readonly admin_token: string;
  /** The brand of commands without `--brand`. */
  readonly brand_id: number | null;
}

/** A name for a service and the secrets for it: one of them, or both. */
export interface Profile {
  readonly client?: ClientAccess;
  readonly admin?: AdminAccess;
}

export interface Profiles {
  /** The profile that is used if none is named: the first one, until another one is chosen; null after its logout. */
  readonly default: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}
