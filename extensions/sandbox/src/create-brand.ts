import { scopes } from '../../../server/src/api/scopes.ts';
import type { InternalCall } from './internal-client.ts';
import type { SandboxBrand } from './sandbox-dir.ts';

/** Creates a brand without data, and a key with all scopes. */
export async function createBrand(call: InternalCall): Promise<SandboxBrand> {
  const { id } = await call('POST', '/brands', { name: 'Sandbox' });
  const { api_key: apiKey } = await call('POST', `/brands/${id}/keys`, { name: 'Sandbox key', scopes });
  return { brandId: Number(id), apiKey: String(apiKey) };
}
