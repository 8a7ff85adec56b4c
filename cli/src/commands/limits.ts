import type { LimitList } from '@brandport/client/admin';
import type { Command } from 'commander';
import { addBrandOption, type BrandOption, parseInteger } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { UsageError } from '../errors.ts';
import type { ListLayout } from '../output/output.ts';
import type { Define } from './command.ts';
import { keyToChange } from './handover.ts';

interface SetOptions extends BrandOption {
  readonly key?: string;
  readonly catalogReads?: number;
  readonly catalogWrites?: number;
  readonly catalog?: number;
  readonly analytics?: number;
  readonly until?: string;
}

const limitLayout: ListLayout<LimitList['data'][number]> = {
  id: ({ bucket }) => bucket,
  columns: {
    limit: 'bucket',
    key: 'key_id',
    requests: 'limit',
    own: ({ own, until }) => (own ? `own${until === null ? '' : ` until ${until}`}` : null),
    used: 'used',
    resets: 'resets_at',
  },
};

export const defineLimits: Define = (command, run) => {
  addBrandOption(command).action((options) => run((context) => showLimits(context, options)));
  addOwner(command.command('set'))
    .description('replace the limits of a key or of the brand, such as for an import')
    .option('--catalog-reads <requests>', 'of a key: reads of the catalog a minute', parseLimit)
    .option('--catalog-writes <requests>', 'of a key: writes of the catalog a minute', parseLimit)
    .option('--catalog <requests>', 'of the brand: catalog requests of all its keys a minute', parseLimit)
    .option('--analytics <requests>', 'requests to analytics a minute', parseLimit)
    .option('--until <time>', 'when the configured ones hold again, such as 2028-01-01T06:00:00Z')
    .action((_, own: Command) => run((context) => setLimits(context, own.optsWithGlobals())));
  addOwner(command.command('reset'))
    .description('give a key or the brand the configured limits again')
    .action((_, own: Command) => run((context) => resetLimits(context, own.optsWithGlobals())));
};

const parseLimit = (text: string) => parseInteger(text, 'A limit', { least: 1 });

function addOwner(command: Command): Command {
  return addBrandOption(command).option('--key <key_id>', 'the key; default: the brand');
}

async function setLimits(context: CliContext, options: SetOptions): Promise<undefined> {
  const { key, brand, catalogReads, catalogWrites, catalog, analytics, until } = options;
  const { keys } = await context.admin();
  if (key === undefined ? (catalogReads ?? catalogWrites) !== undefined : catalog !== undefined)
    throw new UsageError('--catalog-reads and --catalog-writes belong to a --key, --catalog to the brand.');
  if ((catalogReads ?? catalogWrites ?? catalog ?? analytics) === undefined)
    throw new UsageError('There is no limit to set. `limits reset` gives the configured ones back.');
  const call = { signal: context.signal };
  const ofKey = { catalog_reads: catalogReads, catalog_writes: catalogWrites, analytics, until };
  const { data, warnings } =
    key === undefined
      ? await keys.limitBrand(context.brandId(brand), { catalog, analytics, until }, call)
      : await keys.limitKey((await keyToChange(context, key, brand)).key_id, ofKey, call);
  await context.output.list(data, limitLayout);
  for (const warning of warnings) context.tell(`warning: ${warning}`);
}

async function resetLimits(context: CliContext, { key, brand }: SetOptions): Promise<undefined> {
  const { keys } = await context.admin();
  const call = { signal: context.signal };
  if (key === undefined) await keys.resetBrandLimits(context.brandId(brand), call);
  else await keys.resetKeyLimits((await keyToChange(context, key, brand)).key_id, call);
  context.tell('The configured limits hold again.');
}

async function showLimits(context: CliContext, { brand }: BrandOption): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { keys } = await context.admin();
  const rows: LimitList['data'][number][] = [];
  let isCountedAlone = false;
  for (let page = 1, last = 1; page <= last; page += 1) {
    const list = await keys.limits(brandId, { page, per_page: 200 }, { signal: context.signal });
    rows.push(...list.data);
    last = list.meta.last_page;
    isCountedAlone = list.counted_by === 'process';
  }
  await context.output.list(rows, limitLayout);
  if (isCountedAlone)
    context.tell('Each process counts for itself: these are the counts of the one that responded.');
}
