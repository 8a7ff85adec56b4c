import type { LimitList } from '@brandport/client/admin';
import type { Command } from 'commander';
import { addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import { parseInteger } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { ListLayout } from '../../output/output.ts';
import type { Define } from '../command.ts';
import { checkedKeyId } from '../keys/key-layout.ts';

interface OwnerOptions extends BrandOption {
  readonly key?: string;
}

interface SetOptions extends OwnerOptions {
  readonly catalogReads?: string;
  readonly catalogWrites?: string;
  readonly catalog?: string;
  readonly analytics?: string;
  readonly until?: string;
}

const limitLayout: ListLayout<LimitList['data'][number]> = {
  id: ({ bucket }) => bucket,
  columns: [
    { head: 'limit', value: ({ bucket }) => bucket },
    { head: 'key', value: ({ key_id }) => key_id },
    { head: 'requests', value: ({ limit }) => limit },
    {
      head: 'own',
      value: ({ own, until }) => (own ? `own${until === null ? '' : ` until ${until}`}` : null),
    },
    { head: 'used', value: ({ used }) => used },
    { head: 'resets', value: ({ resets_at }) => resets_at },
  ],
};

export const defineLimits: Define = (command, run) => {
  addBrandOption(command).action((options) => run((context) => showLimits(context, options)));
  addOwner(command.command('set'))
    .description('replace the limits of a key or of the brand, such as for an import')
    .option('--catalog-reads <requests>', 'of a key: reads of the catalog a minute')
    .option('--catalog-writes <requests>', 'of a key: writes of the catalog a minute')
    .option('--catalog <requests>', 'of the brand: requests of all its keys to the catalog a minute')
    .option('--analytics <requests>', 'requests to analytics a minute')
    .option(
      '--until <time>',
      'when the configured limits hold again, such as 2028-01-01T06:00:00Z; default: never',
    )
    .action((_, own: Command) => run((context) => setLimits(context, own.optsWithGlobals())));
  addOwner(command.command('reset'))
    .description('give a key or the brand the configured limits again')
    .action((_, own: Command) => run((context) => resetLimits(context, own.optsWithGlobals())));
};

function addOwner(command: Command): Command {
  return addBrandOption(command).option('--key <key_id>', 'the key; default: the brand');
}

async function setLimits(context: CliContext, options: SetOptions): Promise<undefined> {
  const { key, brand, until } = options;
  const { keys } = await context.admin();
  const read = (name: 'catalogReads' | 'catalogWrites' | 'catalog' | 'analytics', flag: string) => {
    const text = options[name];
    return text === undefined ? undefined : parseInteger(text, flag, { least: 1 });
  };
  const [reads, writes] = [
    read('catalogReads', '--catalog-reads'),
    read('catalogWrites', '--catalog-writes'),
  ];
  const [catalog, analytics] = [read('catalog', '--catalog'), read('analytics', '--analytics')];
  if (key === undefined ? (reads ?? writes) !== undefined : catalog !== undefined)
    throw new UsageError('--catalog-reads and --catalog-writes belong to a --key, --catalog to the brand.');
  if ((reads ?? writes ?? catalog ?? analytics) === undefined)
    throw new UsageError('There is no limit to set. `limits reset` gives the configured ones back.');
  const call = { signal: context.signal };
  const { data } =
    key === undefined
      ? await keys.limitBrand(context.brandId(brand), { catalog, analytics, until }, call)
      : await keys.limitKey(
          checkedKeyId(key),
          { catalog_reads: reads, catalog_writes: writes, analytics, until },
          call,
        );
  await context.output.list(data, limitLayout);
}

async function resetLimits(context: CliContext, { key, brand }: OwnerOptions): Promise<undefined> {
  const { keys } = await context.admin();
  const call = { signal: context.signal };
  if (key === undefined) await keys.resetBrandLimits(context.brandId(brand), call);
  else await keys.resetKeyLimits(checkedKeyId(key), call);
  context.tell('The configured limits hold again.');
}

async function showLimits(context: CliContext, { brand }: BrandOption): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { keys } = await context.admin();
  const { data, counted_by } = await keys.limits(brandId, { signal: context.signal });
  await context.output.list(data, limitLayout);
  if (counted_by === 'process')
    context.tell('Each process counts for itself: these are the counts of the one that responded.');
}
