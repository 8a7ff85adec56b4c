import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';

export async function listLag(context: CliContext, options: ListOptions): Promise<undefined> {
  const { datasets } = await context.admin();
  const pages = datasets.lag({ per_page: pageSize(options) }, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ brand_id }) => brand_id,
    columns: [
      { head: 'brand', value: ({ brand_id }) => brand_id },
      { head: 'name', value: ({ name }) => name },
      { head: 'latest day', value: ({ latest_date }) => latest_date },
      { head: 'days behind', value: ({ days_behind }) => days_behind },
      { head: 'dirty days', value: ({ dirty_days }) => dirty_days },
    ],
  });
}
