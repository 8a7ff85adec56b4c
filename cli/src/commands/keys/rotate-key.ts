import type { CliContext } from '../../context/cli-context.ts';
import { checkedKeyId, writeIssuedKey } from './key-layout.ts';

export async function rotateKey(
  context: CliContext,
  keyId: string,
  { expires }: { readonly expires?: string },
): Promise<undefined> {
  const body = expires === undefined ? undefined : { expires_at: expires === 'never' ? null : expires };
  const admin = await context.admin();
  const key = await admin.keys.get(checkedKeyId(keyId), { signal: context.signal });
  await context.confirm(
    `Revoke the key ${keyId} (${key.name}, brand ${key.brand_id}) now and issue a successor?`,
  );
  context.resumeWith('The key may have been rotated: `brandport keys list` shows it.');
  writeIssuedKey(context, await admin.keys.rotate(keyId, body, { signal: context.signal }));
}
