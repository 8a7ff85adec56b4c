import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';

export async function listBrands(context: CliContext, options: ListOptions): Promise<undefined> {
  const admin = await context.admin();
  const pages = admin.brands.list({ per_page: pageSize(options) }, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ id }) => id,
    columns: [
      { head: 'brand', value: ({ id }) => id },
      { head: 'name', value: ({ name }) => name },
      { head: 'currency', value: ({ settings }) => settings.currency },
      { head: 'language', value: ({ settings }) => settings.default_language },
      { head: 'created', value: ({ created_at }) => created_at },
    ],
  });
}
