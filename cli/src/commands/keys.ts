import type { KeyUsage, ListApiKeysQuery, ListKeyUsageQuery } from '@brandport/client/admin';
import { Option } from 'commander';
import {
  addBrandCheck,
  addBrandOption,
  addListOptions,
  type BrandOption,
  type ListOptions,
  pageSize,
  writeList,
} from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { ListLayout } from '../output/output.ts';
import { type Define, databaseOption } from './command.ts';
import {
  checkedKeyId,
  defineHandover,
  keyLayout,
  keyToChange,
  parseScopes,
  shownScopes,
  stateOf,
  writeIssuedKey,
} from './handover.ts';

export const defineKeys: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('list').description('list the keys of a brand')))
    .addOption(new Option('--state <state>', 'only these keys').choices(['active', 'expired', 'revoked']))
    .action((options) => run((context) => listKeys(context, options)));
  addBrandOption(group.command('create'))
    .description('issue a key and print it, once; with --quiet, the key alone')
    .option('--database', databaseOption)
    .requiredOption('--name <name>', 'a label, such as the system that uses the key')
    .requiredOption('--scopes <scopes>', 'comma-separated, such as catalog.products:read; or all')
    .option('--expires <time>', 'when the key expires, such as 2028-01-01T00:00:00Z; default: never')
    .option('--replaces <key_id>', 'the key that this one replaces; both work until the old one is revoked')
    .action((options) => run((context) => createKey(context, options)));
  addBrandCheck(group.command('rotate'), 'the key')
    .argument('<key_id>', 'the key that is revoked at once')
    .description('issue a successor, print it once, and revoke the key; `keys handover` leaves both time')
    .option('--expires <time>', "when the successor expires, or never; default: as the key's")
    .action((keyId, options) => run((context) => rotateKey(context, keyId, options)));
  addBrandCheck(group.command('revoke').argument('<key_id>'), 'the key')
    .description('revoke a key; it is refused from then on')
    .action((keyId, options) => run((context) => revokeKey(context, keyId, options)));
  addListOptions(
    addBrandOption(group.command('usage').argument('[key_id]', 'default: all keys of the brand')),
  )
    .description('list the requests of a key, by day or hour and operation')
    .option('--from <day>', 'the first UTC day, or an instant; default: 30 days ago')
    .option('--to <day>', 'the last UTC day, or an instant')
    .addOption(new Option('--step <step>', 'the time of a row').choices(['hour', 'day']).default('day'))
    .action((keyId, options) => run((context) => showUsage(context, keyId, options)));
  defineHandover(group.command('handover'), run);
};

async function listKeys(
  context: CliContext,
  options: ListOptions & BrandOption & Pick<ListApiKeysQuery, 'state'>,
): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const admin = await context.admin();
  const now = Date.now();
  const pages = admin.keys.list(
    brandId,
    { state: options.state, per_page: pageSize(options) },
    { signal: context.signal },
  );
  return writeList(context, options, pages, {
    id: ({ key_id }) => key_id,
    columns: {
      key: 'key_id',
      name: 'name',
      state: (key) => stateOf(key, now),
      'last used': 'last_used_at',
      expires: 'expires_at',
      replaces: 'replaces_key_id',
      scopes: ({ scopes }) => shownScopes(scopes),
    },
  });
}

interface UsageOptions extends ListOptions, BrandOption {
  readonly from?: string;
  readonly to?: string;
  readonly step: 'hour' | 'day';
}

async function showUsage(
  context: CliContext,
  keyId: string | undefined,
  options: UsageOptions,
): Promise<undefined> {
  const { from, to, step } = options;
  const query: ListKeyUsageQuery = { from, to, step, per_page: pageSize(options) };
  const call = { signal: context.signal };
  const { keys } = await context.admin();
  const pages =
    keyId === undefined
      ? keys.usageOfBrand(context.brandId(options.brand), query, call)
      : keys.usage(checkedKeyId(keyId), query, call);
  return writeList(context, options, pages, usageLayout);
}

const usageLayout: ListLayout<KeyUsage> = {
  id: ({ operation }) => operation,
  columns: {
    at: 'at',
    key: 'key_id',
    operation: 'operation',
    requests: 'requests',
    'denied (429)': 'denied',
    'other 4xx': 'refused',
    '5xx': 'failed',
  },
};

interface CreateKeyOptions extends BrandOption {
  readonly name: string;
  readonly scopes: string;
  readonly expires?: string;
  readonly replaces?: string;
}

async function createKey(context: CliContext, options: CreateKeyOptions): Promise<undefined> {
  context.output.requireReader();
  const brandId = context.brandId(options.brand);
  const body = {
    name: options.name,
    scopes: parseScopes(options.scopes),
    ...(options.expires !== undefined && { expires_at: options.expires }),
    ...(options.replaces !== undefined && { replaces_key_id: checkedKeyId(options.replaces) }),
  };
  const admin = await context.admin();
  context.resumeWith(
    'A key may have been issued: `brandport keys list` shows it. Revoke it if you do not have its secret.',
  );
  await writeIssuedKey(context, await admin.keys.create(brandId, body, { signal: context.signal }));
}

async function rotateKey(
  context: CliContext,
  keyId: string,
  { brand, expires }: BrandOption & { readonly expires?: string },
): Promise<undefined> {
  context.output.requireReader();
  const body = expires === undefined ? undefined : { expires_at: expires === 'never' ? null : expires };
  const admin = await context.admin();
  const key = await keyToChange(context, keyId, brand);
  await context.confirm(
    `Revoke the key ${keyId} (${key.name}, brand ${key.brand_id}) now and issue a successor?`,
  );
  context.resumeWith('The key may have been rotated: `brandport keys list` shows it.');
  await writeIssuedKey(context, await admin.keys.rotate(keyId, body, { signal: context.signal }));
}

async function revokeKey(context: CliContext, keyId: string, { brand }: BrandOption): Promise<undefined> {
  const admin = await context.admin();
  const key = await keyToChange(context, keyId, brand);
  await context.confirm(
    `Revoke the key ${keyId} (${key.name}, brand ${key.brand_id}, last used ${key.last_used_at ?? 'never'})?`,
  );
  context.output.item(await admin.keys.revoke(keyId, { signal: context.signal }), keyLayout);
}
