import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { checkedKeyId, keyLayout, parseScopes, writeIssuedKey } from './key-layout.ts';

interface CreateKeyOptions extends BrandOption {
  readonly name: string;
  readonly scopes: string;
  readonly expires?: string;
  readonly replaces?: string;
}

export async function createKey(context: CliContext, options: CreateKeyOptions): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const body = {
    name: options.name,
    scopes: parseScopes(options.scopes),
    ...(options.expires !== undefined && { expires_at: options.expires }),
    ...(options.replaces !== undefined && { replaces_key_id: checkedKeyId(options.replaces) }),
  };
  const admin = await context.admin();
  context.resumeWith(
    'A key may have been issued: `brandport keys list` shows it. Revoke it if you do not have its secret.',
  );
  writeIssuedKey(context, await admin.keys.create(brandId, body, { signal: context.signal }));
}

export async function rotateKey(
  context: CliContext,
  keyId: string,
  { brand, expires }: BrandOption & { readonly expires?: string },
): Promise<undefined> {
  const body = expires === undefined ? undefined : { expires_at: expires === 'never' ? null : expires };
  const admin = await context.admin();
  const key = await admin.keys.get(checkedKeyId(keyId), { signal: context.signal });
  context.checkBrand(key.brand_id, brand);
  await context.confirm(
    `Revoke the key ${keyId} (${key.name}, brand ${key.brand_id}) now and issue a successor?`,
  );
  context.resumeWith('The key may have been rotated: `brandport keys list` shows it.');
  writeIssuedKey(context, await admin.keys.rotate(keyId, body, { signal: context.signal }));
}

export async function revokeKey(
  context: CliContext,
  keyId: string,
  { brand }: BrandOption,
): Promise<undefined> {
  const admin = await context.admin();
  const key = await admin.keys.get(checkedKeyId(keyId), { signal: context.signal });
  context.checkBrand(key.brand_id, brand);
  await context.confirm(
    `Revoke the key ${keyId} (${key.name}, brand ${key.brand_id}, last used ${key.last_used_at ?? 'never'})?`,
  );
  context.output.item(await admin.keys.revoke(keyId, { signal: context.signal }), keyLayout);
}
