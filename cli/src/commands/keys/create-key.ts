import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { checkedKeyId, parseScopes, writeIssuedKey } from './key-layout.ts';

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
