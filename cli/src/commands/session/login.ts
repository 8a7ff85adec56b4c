import { parseBrandId } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { readSecret } from '../../context/prompts.ts';
import { CliError, UsageError } from '../../errors/cli-error.ts';
import { checkedProfileName, type Profile, withAccess } from '../../profiles/profile.ts';
import { serviceAddress } from '../../profiles/service-address.ts';
import type { Define } from '../command.ts';

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
  context.output.item({ ...describe(name, access), is_default: current === name }, { id: () => name });
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
