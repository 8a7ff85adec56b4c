import { addListOptions, type ListOptions, pageSize, parseBrandId, writeList } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { Define } from './command.ts';

interface AuditOptions extends ListOptions {
  readonly brand?: string;
  readonly action?: string;
  readonly actor?: string;
  readonly resource?: string;
  readonly from?: string;
  readonly to?: string;
}

export const defineAudit: Define = (command, run) => {
  addListOptions(command)
    .option('--brand <id>', 'only changes of this brand')
    .option('--action <action>', 'only this action, such as api_key.rotate')
    .option('--actor <actor>', 'only what this actor did')
    .option('--resource <id>', 'only what was done to the resource with this id')
    .option('--from <time>', 'since this day or instant')
    .option('--to <time>', 'until this day or instant')
    .action((options: AuditOptions) => run((context) => listAudit(context, options)));
};

async function listAudit(context: CliContext, options: AuditOptions): Promise<undefined> {
  const { brand, action, actor, resource, from, to } = options;
  const filter = { brand_id: parseBrandId(brand), action, actor, resource, from, to };
  const { audit } = await context.admin();
  const query = { ...filter, per_page: pageSize(options) };
  const pages = audit.list(query, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ id }) => id,
    columns: {
      at: 'at',
      action: 'action',
      brand: 'brand_id',
      resource: ({ resource_type, resource_id }) => `${resource_type} ${resource_id}`,
      actor: 'actor',
      address: 'address',
      request: 'request_id',
    },
  });
}
