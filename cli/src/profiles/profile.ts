import { UsageError } from '../errors/cli-error.ts';

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

/** Adds an access to a profile; its other access is kept. The first profile becomes the default. */
export function withAccess(
  name: string,
  access: Profile,
  { isDefault }: { readonly isDefault: boolean },
): (profiles: Profiles) => Profiles {
  return ({ default: former, profiles }) => ({
    default: isDefault || Object.keys(profiles).length === 0 ? name : former,
    profiles: { ...profiles, [name]: { ...(Object.hasOwn(profiles, name) && profiles[name]), ...access } },
  });
}

export function withoutProfile(name: string): (profiles: Profiles) => Profiles {
  return (stored) => {
    const { [name]: _removed, ...profiles } = stored.profiles;
    return { default: stored.default === name ? null : stored.default, profiles };
  };
}

/** Checks the name of a profile. @throws UsageError */
export function checkedProfileName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError(
      `'${name}' is not the name of a profile: 1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit.`,
    );
  return name;
}
