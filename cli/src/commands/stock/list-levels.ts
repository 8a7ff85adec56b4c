import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';

interface LevelOptions extends ListOptions {
  readonly location?: string;
  readonly updatedSince?: string;
}

export async function listLevels(
  context: CliContext,
  sku: string | undefined,
  options: LevelOptions,
): Promise<undefined> {
  const { location, updatedSince } = options;
  const query = { sku, location, updated_since: updatedSince, per_page: pageSize(options) };
  const { catalog } = await context.brandport();
  return writeList(context, options, catalog.stock.levels(query, { signal: context.signal }), {
    id: (level) => level.sku,
    columns: [
      { head: 'sku', value: (level) => level.sku },
      { head: 'location', value: (level) => level.location },
      { head: 'quantity', value: ({ quantity }) => quantity },
      { head: 'reserved', value: ({ reserved }) => reserved },
      { head: 'available', value: ({ available }) => available },
      { head: 'source time', value: ({ source_updated_at }) => source_updated_at },
    ],
  });
}
