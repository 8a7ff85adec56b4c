import assert from 'node:assert/strict';
import type { TestApps } from '../../../../test/support/test-apps.ts';

/** The body of a new key, unless a test says otherwise. */
export const newKeyBody = { name: 'PIM', scopes: ['catalog.products:read'] };

/** Returns functions that issue keys of a brand over the internal surface, and use them. */
export function keyIssuer({ admin, clientWith }: TestApps, brandId: number) {
  return {
    newKey: async (more: object = {}) => {
      const { status, json } = await admin.post(`/brands/${brandId}/keys`, { ...newKeyBody, ...more });
      assert.equal(status, 201);
      return json;
    },
    /** The status of a request with the key: 200, or 401 if it does not work. */
    statusOf: async (apiKey: string): Promise<number> =>
      (await clientWith(apiKey).get('/catalog/status')).status,
  };
}
