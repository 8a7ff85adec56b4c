import type { BrandOption } from '../../arguments/brand-option.ts';
import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';

interface DaysOptions extends ListOptions, BrandOption {
  readonly from?: string;
  readonly to?: string;
}

export async function listDays(context: CliContext, options: DaysOptions): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const { datasets } = await context.admin();
  const query = { from: options.from, to: options.to, per_page: pageSize(options) };
  const pages = datasets.calendar(brandId, query, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ date }) => date,
    columns: [
      { head: 'day', value: ({ date }) => date },
      { head: 'aggregated', value: ({ aggregated_at }) => aggregated_at },
      { head: 'dirty', value: ({ dirty }) => dirty },
      { head: 'late events', value: ({ late_events }) => late_events },
      { head: 'daily', value: ({ rows }) => rows?.daily },
      { head: 'contents', value: ({ rows }) => rows?.contents },
      { head: 'users', value: ({ rows }) => rows?.users },
      { head: 'content_engagement', value: ({ rows }) => rows?.content_engagement },
    ],
  });
}
