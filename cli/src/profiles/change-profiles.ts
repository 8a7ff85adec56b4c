import type { Profile, Profiles } from './profile.ts';

/** Adds an access to a profile and makes it the default. The other access is kept. */
export function withAccess(name: string, access: Profile): (profiles: Profiles) => Profiles {
  return ({ profiles }) => ({
    default: name,
    profiles: { ...profiles, [name]: { ...(Object.hasOwn(profiles, name) && profiles[name]), ...access } },
  });
}

export function withoutProfile(name: string): (profiles: Profiles) => Profiles {
  return (stored) => {
    const { [name]: _removed, ...profiles } = stored.profiles;
    return { default: stored.default === name ? null : stored.default, profiles };
  };
}
