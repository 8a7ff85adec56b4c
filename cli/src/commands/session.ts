import type { AnalyticsStatus, KeyStatus, ResponseInfo } from '@brandport/client';
import { parseBrandId } from '../arguments.ts';
import { datasetTables } from '../columns/datasets.ts';
import type { CliContext } from '../context/cli-context.ts';
import { readSecret } from '../context/create-context.ts';
import { CliError, UsageError } from '../errors.ts';
import type { ListLayout } from '../output/output.ts';
import {
  checkedProfileName,
  NoAccess,
  type Profile,
  serviceAddress,
  withAccess,
  withoutProfile,
} from '../profiles.ts';
import type { Define } from './command.ts';
import { shownScopes } from './handover.ts';

interface LoginOptions {
  readonly url: string;
  readonly admin?: boolean;
  readonly brand?: string;
  readonly default?: boolean;
}

export const defineLogin: Define = (command, run) => {
  command
    .requiredOption('--url <address>', 'the address of the API; with --admin, of the internal surface')
    .option('--admin', 'log in with the admin token instead of an API key')
    .option('--brand <id>', 'with --admin: the brand of commands without --brand')
    .option('--default', 'use this profile from now on, unless another one is named')
    .addHelpText(
      'after',
      '\nThe key is asked for without an echo, or read from standard input: brandport login --url … < key.txt\n' +
        'It is stored in ~/.config/brandport/profiles.json, which only you can read. --profile names the profile; a profile\n' +
        'holds a key, an admin token, or both. The first profile is the default; later ones only with --default.',
    )
    .action((options: LoginOptions) => run((context) => login(context, options)));
};

async function login(context: CliContext, options: LoginOptions): Promise<undefined> {
  const { url, admin, brand } = options;
  if (brand !== undefined && admin !== true)
    throw new UsageError('--brand needs --admin: a key has one brand.');
  const name = checkedProfileName(context.options.profile ?? (context.env['BRANDPORT_PROFILE'] || 'default'));
  const address = serviceAddress(url, '--url');
  if (isUnencrypted(address))
    context.tell(`warning: ${address} is not encrypted: others in the network can read the secret.`);
  // A file that cannot be used is reported before the secret is asked for.
  context.profiles.read();
  const secretName = admin === true ? 'admin token' : 'API key';
  const secret = await readSecret(context.stdin, secretName, context.prompt);
  const access =
    admin === true
      ? await adminAccess(context, { url: address, secret, brandId: parseBrandId(brand) ?? null })
      : await clientAccess(context, address, secret);
  context.profiles.update(withAccess(name, access, { isDefault: options.default === true }));
  const { default: current } = context.profiles.read();
  context.output.item(
    { ...describe(name, access), is_default: current === name },
    {
      id: () => name,
      fields: (fields) =>
        Object.entries(fields).map(([label, value]) => [
          label,
          Array.isArray(value) ? shownScopes(value) : value,
        ]),
    },
  );
  if (current !== name)
    context.tell(
      `note: the default profile is ${current === null ? 'not set' : `still '${current}'`}. ` +
        `Use --profile ${name}, or make it the default: brandport profiles use ${name}.`,
    );
}

/** Checks the key. Its brand and scopes are stored next to it. */
async function clientAccess({ signal }: CliContext, url: string, apiKey: string): Promise<Profile> {
  const { Brandport, isBrandportError } = await import('@brandport/client');
  const brandport = new Brandport({ baseUrl: url, apiKey, maxRetries: 1 });
  const { key_id, brand_id, scopes } = await brandport.catalog.status({ signal }).catch((error) => {
    if (!isBrandportError(error, 'not_found')) throw error;
    throw new CliError(
      `${url} has no API for keys. It may be the internal address: an API key belongs to the address of the API, an admin token to --admin.`,
    );
  });
  return { client: { url, api_key: apiKey, key_id, brand_id, scopes } };
}

/** Checks the token, and that it opens the brand. */
async function adminAccess(
  { signal }: CliContext,
  {
    url,
    secret,
    brandId,
  }: { readonly url: string; readonly secret: string; readonly brandId: number | null },
): Promise<Profile> {
  const { BrandportAdmin } = await import('@brandport/client/admin');
  const admin = new BrandportAdmin({ baseUrl: url, adminToken: secret, maxRetries: 1 });
  await admin.brands.list({ per_page: 1 }, { signal }).first();
  if (brandId !== null) await admin.brands.get(brandId, { signal });
  return { admin: { url, admin_token: secret, brand_id: brandId } };
}

function describe(profile: string, { client, admin }: Profile): object {
  if (client !== undefined)
    return {
      profile,
      url: client.url,
      brand_id: client.brand_id,
      key_id: client.key_id,
      scopes: client.scopes,
    };
  return { profile, url: admin?.url, brand_id: admin?.brand_id };
}

/** Returns whether a secret for the address travels unencrypted through a network. */
function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A profile without its secrets. */
interface ProfileRow {
  readonly name: string;
  readonly is_default: boolean;
  readonly client: { readonly url: string; readonly key_id: string; readonly brand_id: number } | null;
  readonly admin: { readonly url: string; readonly brand_id: number | null } | null;
}

export const defineProfiles: Define = (command, run) => {
  command.action(() => run(list));
  command
    .command('use')
    .argument('<name>')
    .description('use this profile unless another one is named')
    .action((name: string) => run(async (context) => use(context, name)));
};

async function list({ output, profiles }: CliContext): Promise<undefined> {
  const stored = profiles.read();
  const rows = Object.entries(stored.profiles).map(([name, profile]) =>
    rowOf(name, profile, stored.default === name),
  );
  await output.list(rows, {
    id: ({ name }) => name,
    columns: {
      profile: ({ name, is_default }) => (is_default ? `${name} (default)` : name),
      key: ({ client }) => client?.key_id,
      brand: ({ client, admin }) => client?.brand_id ?? admin?.brand_id,
      address: ({ client }) => client?.url,
      'internal address': ({ admin }) => admin?.url,
    },
  });
}

function rowOf(name: string, { client, admin }: Profile, isDefault: boolean): ProfileRow {
  return {
    name,
    is_default: isDefault,
    client:
      client === undefined ? null : { url: client.url, key_id: client.key_id, brand_id: client.brand_id },
    admin: admin === undefined ? null : { url: admin.url, brand_id: admin.brand_id },
  };
}

function use({ profiles, tell }: CliContext, name: string): undefined {
  if (!Object.hasOwn(profiles.read().profiles, name))
    throw new UsageError(`There is no profile '${name}'. 'brandport profiles' lists them.`);
  profiles.update((stored) => ({ ...stored, default: name }));
  tell(`The profile '${name}' is used from now on, unless another one is named.`);
}

export const defineLogout: Define = (command, run) => {
  command
    .addHelpText('after', '\nThe key stays valid: an operator revokes it.')
    .action(() => run(async (context) => logout(context)));
};

function logout(context: CliContext): undefined {
  const stored = context.profiles.read();
  const name = context.options.profile ?? (context.env['BRANDPORT_PROFILE'] || stored.default);
  if (name === null) throw new UsageError('Nobody is logged in. Name a profile: --profile <name>.');
  if (!Object.hasOwn(stored.profiles, name))
    throw new UsageError(`There is no profile '${name}'. 'brandport profiles' lists them.`);
  context.profiles.update(withoutProfile(name));
  context.tell(`The profile '${name}' was removed from ${context.profiles.path}. Its key stays valid.`);
}

export const defineWhoami: Define = (command, run) => {
  command
    .addHelpText(
      'after',
      '\nA profile named by --profile is used before the environment, and that before the default profile.',
    )
    .action(() => run(whoami));
};

async function whoami(context: CliContext): Promise<undefined> {
  const client = find(context, 'client');
  const admin = find(context, 'admin');
  if (client === null && admin === null) context.connection('client');
  const described = {
    client: client === null ? null : await clientIdentity(context),
    admin:
      admin === null
        ? null
        : { profile: admin.profile, source: admin.source, url: admin.url, brand_id: admin.brandId },
  };
  context.output.item(described, {
    id: ({ client: key, admin: token }) => key?.brand_id ?? token?.profile ?? '-',
    fields: () => [...lines('key', described.client), ...lines('admin', described.admin)],
  });
}

/** Returns the connection, or null if nothing provides one. @throws CliError for a mistake in the environment or the file */
function find(context: CliContext, kind: 'client' | 'admin') {
  try {
    return context.connection(kind);
  } catch (error) {
    if (error instanceof NoAccess) return null;
    throw error;
  }
}

async function clientIdentity(context: CliContext) {
  const { profile, source, url } = context.connection('client');
  const brandport = await context.brandport();
  return { profile, source, url, ...(await brandport.catalog.status({ signal: context.signal })) };
}

function lines(prefix: string, values: object | null): [string, unknown][] {
  return Object.entries(values ?? {}).map(([name, value]) => [
    `${name.startsWith(`${prefix}_`) ? '' : `${prefix} `}${name.replaceAll('_', ' ')}`,
    name === 'scopes' ? shownScopes(value) : value,
  ]);
}

interface Limit {
  readonly limit: number;
  readonly remaining: number;
  readonly resets_at: string;
}

interface Status extends KeyStatus {
  readonly limits: { readonly catalog: Limit | null; readonly analytics: Limit | null };
  readonly datasets: AnalyticsStatus['datasets'];
}

export const defineStatus: Define = (command, run) => {
  command
    .option('--refusals', 'list the last 50 refused requests of the key, and why; --json has all')
    .action((options: StatusOptions) => run((context) => status(context, options)));
};

interface StatusOptions {
  readonly refusals?: boolean;
}

async function status(context: CliContext, { refusals = false }: StatusOptions): Promise<undefined> {
  const brandport = await context.brandport();
  const options = { signal: context.signal };
  const asked = refusals ? ({ include: 'refusals' } as const) : {};
  const [catalog, analytics] = await Promise.all([
    brandport.catalog.status({ ...asked, ...options }).withResponse(),
    brandport.analytics.status({}, options).withResponse(),
  ]);
  const limits = { catalog: limitOf(catalog.response), analytics: limitOf(analytics.response) };
  const whole: Status = { ...catalog.data, limits, datasets: analytics.data.datasets };
  if (refusals && context.output.format !== 'json')
    await context.output.list(catalog.data.refusals ?? [], refusalLayout);
  else context.output.item(whole, { id: ({ brand_id }) => brand_id, fields: linesOf });
}

const refusalLayout: ListLayout<NonNullable<KeyStatus['refusals']>[number]> = {
  id: ({ request_id }) => request_id,
  columns: {
    at: 'at',
    request: ({ method, path }) => `${method} ${path}`,
    status: 'status',
    code: 'code',
    fields: 'fields',
    count: 'count',
    'request id': 'request_id',
  },
};

/** Reads the limit that has the fewest requests left; null if the service does not limit the key. */
function limitOf({ headers }: ResponseInfo): Limit | null {
  const numbers = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  const [limit, remaining, reset] = numbers.map((text) => (text === null ? Number.NaN : Number(text)));
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  if (Number.isNaN(limit + remaining + reset)) return null;
  return { limit, remaining, resets_at: new Date(reset * 1_000).toISOString() };
}

function perMinute(limit: number): string {
  return limit === 0 ? 'any number of' : String(limit);
}

function linesOf({ datasets, limits, ...key }: Status): [string, unknown][] {
  const limitText = (limit: Limit | null) =>
    limit === null ? 'not limited' : `${limit.remaining} of ${limit.limit} left until ${limit.resets_at}`;
  const days = Object.values(datasetTables).map(({ name, dataset }): [string, unknown] => {
    const { oldest_date = null, latest_date = null } = datasets?.[dataset] ?? {};
    return [`${name} days`, latest_date === null ? null : `${oldest_date} to ${latest_date}`];
  });
  return [
    ['brand', key.brand_id],
    ['key', key.key_id],
    ['name', key.name],
    ['expires', key.expires_at],
    ['scopes', shownScopes(key.scopes)],
    [
      'catalog limits',
      `${perMinute(key.rate_limits.reads_per_minute)} reads, ${perMinute(key.rate_limits.writes_per_minute)} writes a minute`,
    ],
    ['catalog requests', limitText(limits.catalog)],
    ['analytics requests', limitText(limits.analytics)],
    ...(datasets === null ? ([['datasets', 'unavailable']] as [string, unknown][]) : days),
  ];
}
