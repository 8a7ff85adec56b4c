import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { clientDocument } from '../client-document.ts';
import { DocumentReader } from './document-reader.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const reader = new DocumentReader(clientDocument());

function documented(path: string, method: string, code: string, status: number): unknown {
  const { responses } = reader.root.paths[`/v1/client${path}`][method];
  return reader.resolve(responses[status]).content['application/json'].examples[code].value;
}

describe('the documented examples of errors are what the server answers', () => {
  it('to a key without the scope', async () => {
    const { client: other } = await apps.newKey(brandId, ['analytics.users:read']);
    const read = await other.get('/catalog/products');
    assert.deepEqual(read.json, documented('/catalog/products', 'get', 'insufficient_scope', 403));
    const write = await other.create('/catalog/products', { sku: 'A' });
    assert.deepEqual(write.json, documented('/catalog/products', 'post', 'insufficient_scope', 403));
  });

  it('to a body without what is required', async () => {
    const response = await client.create('/catalog/products', {});
    assert.deepEqual(response.json, documented('/catalog/products', 'post', 'validation_failed', 422));
  });

  it('to a query that is not understood', async () => {
    const expected = documented('/catalog/products', 'get', 'validation_failed', 422) as { errors: object };
    const [field] = Object.keys(expected.errors);
    const response = await client.get(`/catalog/products?${field}=x`);
    assert.deepEqual(response.json, expected);
  });

  it('to a taken SKU', async () => {
    const { json: first } = await client.create('/catalog/products', { sku: 'TAKEN' });
    const response = await client.create('/catalog/products', { sku: 'TAKEN' });
    const expected = documented('/catalog/products', 'post', 'duplicate_sku', 409) as { conflict: object };
    assert.deepEqual(response.json, {
      ...expected,
      conflict: { ...expected.conflict, tu_id: first.tu_id },
    });
  });

  it('to a request without a key, with a wrong path and a wrong media type', async () => {
    const noKey = await apps.anonymous.get('/catalog/products');
    assert.deepEqual(noKey.json, documented('/catalog/products', 'get', 'unauthenticated', 401));
    const noProduct = await client.get(`/catalog/products/${'x'.repeat(21)}`);
    assert.deepEqual(noProduct.json, documented('/catalog/products/{tuId}', 'get', 'not_found', 404));
    const xml = await client.request('POST', '/catalog/products', {
      body: '<sku/>',
      headers: { 'content-type': 'text/xml', 'idempotency-key': 'xml' },
    });
    assert.deepEqual(xml.json, documented('/catalog/products', 'post', 'unsupported_media_type', 415));
  });
});
