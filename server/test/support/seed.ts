import type { ApiClient } from './api-client.ts';
import type { ServerProcess } from './server-process.ts';

export interface SeededKey {
  readonly brandId: number;
  readonly keyId: string;
  readonly apiKey: string;
  readonly client: ApiClient;
}

const productScopes = ['catalog.products:read', 'catalog.products:write'];

/** Creates a brand with a key that can read and write products, over the internal surface of a server. */
export async function seedBrand(
  server: ServerProcess,
  name = 'Test brand',
  scopes: readonly string[] = productScopes,
): Promise<SeededKey> {
  const brand = await server.admin.post('/brands', { name });
  if (brand.status !== 201) throw new Error(`no brand: ${brand.text}`);
  return seedKey(server, brand.json.id, scopes);
}

/** Creates another key of a brand. */
export async function seedKey(
  server: ServerProcess,
  brandId: number,
  scopes: readonly string[] = productScopes,
): Promise<SeededKey> {
  const { status, text, json } = await server.admin.post(`/brands/${brandId}/keys`, { name: 'Key', scopes });
  if (status !== 201) throw new Error(`no key: ${text}`);
  return {
    brandId,
    keyId: json.key_id,
    apiKey: json.api_key,
    client: server.clientWith(json.api_key),
  };
}
