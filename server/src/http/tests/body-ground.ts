import assert from 'node:assert/strict';
import { writtenSoFar } from '../../../test/support/assert-refused.ts';
import { listenOn } from '../../../test/support/raw-connection.ts';
import type { TestApps } from '../../../test/support/test-apps.ts';

/** Creates a brand with a product, and returns what tests of request bodies need. */
export async function newBodyGround(apps: TestApps) {
  const { client, apiKey } = await apps.newBrand();
  const { json: product } = await client.create('/catalog/products', { sku: 'BODIES' });
  const endpoints = [
    ['POST', '/catalog/products'],
    ['PATCH', `/catalog/products/${product.tu_id}`],
  ] as const;
  /** Sends a body to both endpoints that take one; both have to refuse it alike. */
  const send = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const all = { 'idempotency-key': 'bodies', ...headers };
    return Promise.all(
      endpoints.map(([method, path]) => client.request(method, path, { body, headers: all })),
    );
  };
  const port = await listenOn(apps.clientApp);
  const { versions: versionsBefore, ...before } = await writtenSoFar(apps);
  /** Allows one change without an effect, which counts as one. */
  const assertNothingWritten = async () => {
    const { versions, ...rows } = await writtenSoFar(apps);
    assert.deepEqual(rows, before);
    assert.ok(Number(versions) - Number(versionsBefore) <= 1);
  };
  return { client, apiKey, product, port, endpoints, send, assertNothingWritten };
}
