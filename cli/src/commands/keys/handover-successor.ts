import type { ApiKeyCreate, ApiKeyDetail, BrandportAdmin } from '@brandport/client/admin';
import type { CliContext } from '../../context/cli-context.ts';
import { stateOf, writeIssuedKey } from './key-layout.ts';

type Keys = BrandportAdmin['keys'];

/** Returns the newest active key that was issued to replace the given one. */
export async function findSuccessor(
  keys: Keys,
  old: ApiKeyDetail,
  signal: AbortSignal,
): Promise<ApiKeyDetail | null> {
  let newest: ApiKeyDetail | null = null;
  for await (const key of keys.list(old.brand_id, { state: 'active', per_page: 200 }, { signal }))
    if (key.replaces_key_id === old.key_id && (newest === null || newest.created_at < key.created_at))
      newest = key;
  return newest;
}

/** Issues a key of the same lineage with the same scopes, and prints it. */
export async function issueSuccessor(context: CliContext, keys: Keys, old: ApiKeyDetail): Promise<void> {
  const { key_id, name, brand_id, scopes, expires_at } = old;
  await context.confirm(`Issue a second key for '${name}' (${key_id}, brand ${brand_id})? Both work then.`);
  const body = {
    name,
    scopes: scopes as ApiKeyCreate['scopes'],
    replaces_key_id: key_id,
    // An expired key is replaced by one that works.
    ...(stateOf(old, Date.now()) === 'active' && { expires_at }),
  };
  writeIssuedKey(context, await keys.create(brand_id, body, { signal: context.signal }));
  context.tell(
    `Both keys work. Give the new one to '${name}', then run the same command again: it shows when ${key_id} is no longer used.`,
  );
}
