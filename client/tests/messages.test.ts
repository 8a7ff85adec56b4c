import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { BrandportAdmin } from '../src/admin/index.ts';
import { Brandport, isBrandportError, money } from '../src/index.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

describe('the message of an error', () => {
  it('names the first fields that are not valid, and counts the others', async () => {
    const { brandport } = await newBrand();
    const bad = { sku: '', price_value: -1, is_active: 'x', tax_class: 1, default_language: 1 };
    await assert.rejects(brandport.catalog.products.create(bad as never), (error) => {
      assert.ok(isBrandportError(error, 'validation_failed'));
      const fields = Object.keys(error.errors);
      assert.equal(fields.length, 5);
      for (const field of fields.slice(0, 3))
        assert.ok(error.message.includes(`${field}: must `), error.message);
      assert.match(error.message, /^The request is not valid\. .+; and 2 more fields$/);
      return true;
    });
  });

  it('names the host and the reason of a failed connection', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    const dead = new Brandport({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', maxRetries: 0 });
    await assert.rejects(dead.catalog.status(), {
      code: 'connection_failed',
      message: `The connection to 127.0.0.1:${port} failed: ECONNREFUSED.`,
    });
    const blocked = new Brandport({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', maxRetries: 0 });
    await assert.rejects(blocked.catalog.status(), {
      code: 'connection_failed',
      message: 'The connection to 127.0.0.1:1 failed: fetch blocks this port.',
    });
  });
});

describe('the address of the service', () => {
  it('is refused with the paths of the operations, which the client adds', () => {
    for (const [path, shown] of [
      ['/v1', '/v1'],
      ['/v1/', '/v1'],
      ['/v1/client', '/v1/client'],
      ['/shop/v1/client/', '/v1/client'],
      ['/v1/client/catalog/products', '/v1/client/catalog/products'],
      ['/internal/v1', '/internal/v1'],
    ])
      for (const create of [
        (baseUrl: string) => new Brandport({ baseUrl, apiKey: 'key' }),
        (baseUrl: string) => new BrandportAdmin({ baseUrl, adminToken: 'token' }),
      ])
        assert.throws(() => create(`https://brandport.example${path}`), {
          name: 'TypeError',
          message: `baseUrl must be the address of the service, without ${shown}.`,
        });
  });

  it('may have the prefix of a proxy', () => {
    for (const path of ['', '/', '/shop', '/v1x', '/v10/shop', '/client'])
      assert.ok(new Brandport({ baseUrl: `https://brandport.example${path}`, apiKey: 'key' }));
  });
});

describe('money', () => {
  it('rounds what a program computes to a price that the service takes', async () => {
    for (const [value, price] of [
      [10 + 1.12, 11.12],
      [10 + 112 / 100, 11.12],
      [0.1 + 0.2, 0.3],
      [1.00005, 1.0001],
      [1.00004999, 1],
      [19.5, 19.5],
      [1e-7, 0],
      [0, 0],
      [99_999_999_999.9999, 99_999_999_999.9999],
    ] as const)
      assert.equal(money(value), price);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => money(value), TypeError);
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    await assert.rejects(products.create({ sku: 'A', price_value: 10 + 1.12 }), /round/);
    assert.equal((await products.create({ sku: 'A', price_value: money(10 + 1.12) })).price_value, 11.12);
  });
});
