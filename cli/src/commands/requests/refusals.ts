import { addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import { parseInteger } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';
import { checkedKeyId } from '../keys/key-layout.ts';

interface RefusalOptions extends ListOptions, BrandOption {
  readonly key?: string;
  readonly status?: string;
  readonly code?: string;
  readonly operation?: string;
  readonly from?: string;
  readonly to?: string;
}

export const defineRefusals: Define = (command, run) => {
  addListOptions(addBrandOption(command))
    .option('--key <key_id>', 'only requests of this key')
    .option('--status <status>', 'only this status, such as 422')
    .option('--code <code>', 'only this error code, such as validation_failed')
    .option('--operation <id>', 'only this operation, such as createProduct')
    .option('--from <time>', 'since this day or instant')
    .option('--to <time>', 'until this day or instant')
    .action((options: RefusalOptions) => run((context) => listRefusals(context, options)));
};

async function listRefusals(context: CliContext, options: RefusalOptions): Promise<undefined> {
  const { key, status, code, operation, from, to } = options;
  const query = {
    code,
    operation,
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
    columns: [
      { head: 'at', value: ({ at }) => at },
      { head: 'status', value: ({ status }) => status },
      { head: 'code', value: ({ code, reason }) => (reason === null ? code : `${code} (${reason})`) },
      { head: 'operation', value: ({ operation, method, path }) => operation ?? `${method} ${path}` },
      { head: 'fields', value: ({ fields }) => fields.join(' ') },
      { head: 'requests', value: ({ count }) => count },
      { head: 'key', value: ({ key_id }) => key_id },
      { head: 'address', value: ({ address }) => address },
      { head: 'request', value: ({ request_id }) => request_id },
    ],
  });
}
