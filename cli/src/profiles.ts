import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { CliError, UsageError } from './errors.ts';
import { parsedJson, writeDurably } from './json-files.ts';

/** Checks the address of a service, which `name` has, and removes slashes at its end. @throws UsageError without the address */
export function serviceAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name} is not an http or https address, such as https://brandport.example.com.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(`${name} must not contain credentials, a query or a fragment.`);
  // The client adds the paths of the operations.
  const [path] = /\/(?:internal\/)?v1(?:\/.*)?$/.exec(url.pathname.replace(/\/+$/, '')) ?? [];
  if (path !== undefined)
    throw new UsageError(`${name} must be the address of the service, without ${path}.`);
  return url.href.replace(/\/+$/, '');
}

/** The access of integrators: an API key at the client API. */
interface ClientAccess {
  readonly url: string;
  readonly api_key: string;
  readonly key_id: string;
  readonly brand_id: number;
  readonly scopes: readonly string[];
}

/** The access of operators: a token at the internal surface. */
interface AdminAccess {
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

interface Profiles {
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

/** The file of the profiles. It holds secrets, so it is refused when others can read it. */
export class ProfileFile {
  readonly path: string;

  constructor(env: Readonly<Record<string, string | undefined>>, home: string) {
    const config = env['XDG_CONFIG_HOME'];
    // A relative path is invalid by the XDG specification and ignored.
    const base = config?.startsWith('/') === true ? config : join(home, '.config');
    this.path = join(base, 'brandport', 'profiles.json');
  }

  /** Returns the profiles; none if there is no file. @throws CliError for a file that others can read or that is damaged */
  read(): Profiles {
    const text = this.#readText();
    if (text === null) return { default: null, profiles: {} };
    const value = parsedJson(text);
    if (!isProfiles(value)) throw new CliError(`${this.path} is damaged. Remove it and log in again.`);
    return value;
  }

  /** Replaces the profiles by what `change` makes of the current ones. A crash leaves the old file or the new one. */
  update(change: (profiles: Profiles) => Profiles): void {
    writeDurably(this.path, `${JSON.stringify(change(this.read()), null, 2)}\n`);
  }

  #readText(): string | null {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new CliError(`${this.path} cannot be read: ${(error as Error).message}.`);
    }
    try {
      const { mode } = fstatSync(file);
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new CliError(
          `${this.path} holds secrets, and others can read it (mode 0${(mode & 0o777).toString(8)}). ` +
            `Run: chmod 600 ${this.path}, and rotate its keys if others have had access.`,
        );
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (typeof value !== 'object' || value === null || !('profiles' in value)) return false;
  const { profiles } = value;
  return typeof profiles === 'object' && profiles !== null && !Array.isArray(profiles);
}

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

interface ConnectionSources {
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
 * Finds the connection: of `--profile`, else of the environment, else of `BRANDPORT_PROFILE`, else of the default
 * profile [D144].
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
    checkSecret(names.secret, secret);
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

/** The message names the place of a character, never the secret. @throws UsageError */
function checkSecret(variable: string, secret: string): void {
  const at = [...secret].findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  if (at < 0) return;
  const code = [...secret][at]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw new UsageError(
    `${variable} has the character U+${code} at position ${at + 1}: keys and tokens are visible ASCII. Copy it again.`,
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
