import {
  addBrandOption,
  addListOptions,
  type BrandOption,
  type ListOptions,
  pageSize,
  parseInteger,
  writeList,
} from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { UsageError } from '../errors.ts';
import type { Define } from './command.ts';
import { checkedKeyId } from './handover.ts';

interface RefusalOptions extends ListOptions, BrandOption {
  readonly key?: string;
  readonly status?: string;
  readonly code?: string;
  readonly operation?: string;
  readonly group?: boolean;
  readonly from?: string;
  readonly to?: string;
}

export const defineRequests: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('list')))
    .description('list the requests of keys that were refused or failed, and why')
    .option('--key <key_id>', 'only requests of this key')
    .option('--status <status>', 'only this status, such as 422')
    .option('--code <code>', 'only this error code, such as validation_failed')
    .option('--operation <id>', 'only this operation, such as createProduct')
    .option('--group', 'equal requests as one line, with their number; at: the last')
    .option('--from <time>', 'since this day or instant')
    .option('--to <time>', 'until this day or instant')
    .action((options: RefusalOptions) => run((context) => listRefusals(context, options)));
  group
    .command('show')
    .argument('<request_id>', 'the X-Request-Id of a response')
    .description('show what a request wrote, or why it was refused')
    .action((requestId: string) => run((context) => showRequest(context, requestId)));
};

async function listRefusals(context: CliContext, options: RefusalOptions): Promise<undefined> {
  const { key, status, code, operation, group, from, to } = options;
  const query = {
    code,
    operation,
    group,
    from,
    to,
    per_page: pageSize(options),
    key_id: key === undefined ? undefined : checkedKeyId(key),
    status: status === undefined ? undefined : parseInteger(status, '--status', { least: 400 }),
  };
  const { keys } = await context.admin();
  const pages = keys.refusals(context.brandId(options.brand), query, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ request_id }) => request_id,
    columns: {
      at: 'at',
      status: 'status',
      code: ({ code, reason }) => (reason === null ? code : `${code} (${reason})`),
      operation: ({ operation, method, path }) => operation ?? `${method} ${path}`,
      fields: ({ fields }) => fields.join(' '),
      requests: 'count',
      since: 'first_at',
      key: 'key_id',
      address: 'address',
      request: 'request_id',
    },
  });
}

async function showRequest(context: CliContext, requestId: string): Promise<undefined> {
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(requestId)) throw new UsageError(`'${requestId}' is no request id.`);
  const { lookups } = await context.admin();
  const { entries } = await lookups.request(requestId, { signal: context.signal });
  await context.output.list(entries, {
    id: ({ kind }) => kind,
    columns: {
      at: 'at',
      kind: 'kind',
      brand: 'brand_id',
      what: ({ at: _, kind: _kind, brand_id: _brand, ...what }) => describe(what),
    },
  });
}

/** Describes the fields of an entry, which depend on its kind. */
function describe(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}=${value.constructor === Object ? JSON.stringify(value) : value}`)
    .join(' ');
}
