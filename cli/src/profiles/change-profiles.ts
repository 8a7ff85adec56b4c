import type { Profile, Profiles } from './profile.ts';

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
