import type { CliContext } from '../../context/cli-context.ts';
import { checkedKeyId, keyLayout } from './key-layout.ts';

export async function revokeKey(context: CliContext, keyId: string): Promise<undefined> {
  const admin = await context.admin();
  const key = await admin.keys.get(checkedKeyId(keyId), { signal: context.signal });
  await context.confirm(
    `Revoke the key ${keyId} (${key.name}, brand ${key.brand_id}, last used ${key.last_used_at ?? 'never'})?`,
  );
  context.output.item(await admin.keys.revoke(keyId, { signal: context.signal }), keyLayout);
}
