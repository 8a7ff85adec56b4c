import { UsageError } from '../errors/cli-error.ts';
import type { Profiles } from './profile.ts';
import type { ProfileFile } from './profile-file.ts';
import { serviceAddress } from './service-address.ts';

/** The service and the secret that a command uses. Both come from the same place: a secret never goes to another host. */
export interface Connection {
  readonly kind: 'client' | 'admin';
  readonly url: string;
  readonly secret: string;
  /** The brand that the key belongs to, or the operator's own choice; null if not known. */
  readonly brandId: number | null;
  /** The profile's name; null for the environment. */
  readonly profile: string | null;
  /** The place that named it: `--profile`, a variable, or the default. */
  readonly source: string;
  /** The sentence that says which profile the environment takes precedence over; null if none. */
  readonly shadows: string | null;
}

export interface ConnectionSources {
  /** The option `--profile`. */
  readonly profile: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly profiles: ProfileFile;
}

const variables = {
  client: { url: 'BRANDPORT_URL', secret: 'BRANDPORT_API_KEY' },
  admin: { url: 'BRANDPORT_INTERNAL_URL', secret: 'BRANDPORT_ADMIN_TOKEN' },
} as const;

/** Nothing provides the address and the secret of this kind. */
export class NoAccess extends UsageError {}

/**
 * Finds the connection: that of `--profile`, else of the environment, else of `BRANDPORT_PROFILE`, else of the default
 * profile [D144] [D270].
 * @throws NoAccess if there is none
 * @throws UsageError for one variable without the other, and for an address that is none
 */
export function connectionFor(kind: 'client' | 'admin', sources: ConnectionSources): Connection {
  if (sources.profile !== undefined)
    return fromProfile(kind, sources.profile, '--profile', sources.profiles.read());
  const { env } = sources;
  const names = variables[kind];
  const [url, secret] = [env[names.url] || undefined, env[names.secret] || undefined];
  const named = env['BRANDPORT_PROFILE'] || undefined;
  if ((url === undefined) !== (secret === undefined)) {
    const [set, other] = url === undefined ? [names.secret, names.url] : [names.url, names.secret];
    throw new UsageError(`${set} is set, but ${other} is not. Set both, or unset ${set} to use a profile.`);
  }
  if (url !== undefined && secret !== undefined) {
    const shadows =
      named === undefined ? null : `${names.secret} takes precedence over BRANDPORT_PROFILE=${named}.`;
    const source = `${names.url} and ${names.secret}`;
    const address = serviceAddress(url, names.url);
    return { kind, url: address, secret, brandId: null, profile: null, source, shadows };
  }
  if (named !== undefined) return fromProfile(kind, named, 'BRANDPORT_PROFILE', sources.profiles.read());
  const stored = sources.profiles.read();
  if (stored.default !== null) return fromProfile(kind, stored.default, 'the default profile', stored);
  const known = Object.keys(stored.profiles);
  if (known.length > 0)
    throw new NoAccess(
      `There is no default profile. Name one with --profile, or run: brandport profiles use <name>. Profiles: ${known.join(', ')}.`,
    );
  const option = kind === 'admin' ? ' --admin' : '';
  const without =
    kind === 'admin' ? " On the server's machine, brands create and keys create have --database." : '';
  throw new NoAccess(
    `There is no profile. Run: brandport login${option} --url <address>, or set ${names.url} and ${names.secret}.${without}`,
  );
}

function fromProfile(kind: 'client' | 'admin', name: string, source: string, stored: Profiles): Connection {
  const profile = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  if (profile === undefined)
    throw new UsageError(`There is no profile '${name}'. 'brandport profiles' lists them.`);
  const common = { kind, profile: name, source, shadows: null };
  if (kind === 'client' && profile.client !== undefined) {
    const { url, api_key, brand_id } = profile.client;
    return { ...common, url, secret: api_key, brandId: brand_id };
  }
  if (kind === 'admin' && profile.admin !== undefined) {
    const { url, admin_token, brand_id } = profile.admin;
    return { ...common, url, secret: admin_token, brandId: brand_id };
  }
  const [lacks, option] = kind === 'client' ? ['API key', ''] : ['admin token', ' --admin'];
  throw new NoAccess(
    `The profile '${name}' has no ${lacks}. Run: brandport login${option} --profile ${name} --url <address>.`,
  );
}

/** Returns whether anything provides an admin token: what it opens is not looked at. */
export function hasAdminAccess({ env, profiles }: Omit<ConnectionSources, 'profile'>): boolean {
  if (env[variables.admin.url] && env[variables.admin.secret]) return true;
  try {
    return Object.values(profiles.read().profiles).some(({ admin }) => admin !== undefined);
  } catch {
    // The command that uses the file reports it.
    return true;
  }
}

/** Describes a connection in a line, without its secret. */
export function describeConnection({ profile, source, url, brandId }: Connection): string {
  const name = profile === null ? `the environment (${source})` : `profile ${profile}`;
  return `${name}, ${new URL(url).host}${brandId === null ? '' : `, brand ${brandId}`}.`;
}
