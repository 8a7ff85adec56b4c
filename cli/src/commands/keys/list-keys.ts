import type { ListApiKeysQuery } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { stateOf } from './key-layout.ts';

export async function listKeys(
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
    columns: [
      { head: 'key', value: ({ key_id }) => key_id },
      { head: 'name', value: ({ name }) => name },
      { head: 'state', value: (key) => stateOf(key, now) },
      { head: 'last used', value: ({ last_used_at }) => last_used_at },
      { head: 'expires', value: ({ expires_at }) => expires_at },
      { head: 'replaces', value: ({ replaces_key_id }) => replaces_key_id },
      { head: 'scopes', value: ({ scopes }) => scopes },
    ],
  });
}
