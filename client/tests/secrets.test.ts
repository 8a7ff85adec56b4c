import assert from 'node:assert/strict';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { BrandportAdmin } from '../src/admin/index.ts';
import { Brandport } from '../src/index.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

/** Everything that a log could contain of a value. */
function printed(value: unknown): string {
  const options = { depth: 20, showHidden: true, getters: true } as const;
  return `${inspect(value, options)} ${JSON.stringify(value)} ${String(value)} ${value instanceof Error ? value.stack : ''}`;
}

describe('the API key', () => {
  it('appears in no error, hook or inspection', async () => {
    const { apiKey } = await newBrand();
    const secret = apiKey.split('.')[1] ?? '';
    const events: unknown[] = [];
    const record = (event: unknown) => void events.push(event);
    const hooks = {
      onRequest: record,
      onResponse: record,
      onRetry: record,
      onPage: record,
      onWarning: record,
    };
    const proxy = await startFaultProxy(clientUrl, (request) => (request === 1 ? 'drop the response' : null));
    const brandport = new Brandport({ baseUrl: proxy.url, apiKey, hooks });
    const answer = await brandport.catalog.products.create({ sku: 'A' }).withResponse();
    const errors = await Promise.all([
      brandport.catalog.products.create({ sku: 'A' }).catch((error: unknown) => error),
      brandport.catalog.products.get('missing').catch((error: unknown) => error),
      new Brandport({ baseUrl: 'http://127.0.0.1:1', apiKey, maxRetries: 0 }).catalog
        .status()
        .catch((error: unknown) => error),
    ]);
    await brandport.catalog.products.list().toArray();
    assert.ok(events.length >= 8 && errors.every((error) => error instanceof Error));
    const admin = new BrandportAdmin({ baseUrl: clientUrl, adminToken: secret });
    for (const value of [brandport, answer, admin, ...errors, ...events])
      assert.ok(!printed(value).includes(secret), printed(value));
  });

  it('is not in the message that refuses it', () => {
    for (const apiKey of ['secret\nsecret', '', 'sécret', 7 as unknown as string])
      assert.throws(
        () => new Brandport({ baseUrl: clientUrl, apiKey }),
        (error: Error) => error instanceof TypeError && !error.message.includes('cret'),
      );
    for (const baseUrl of ['https://user:secret@host', 'ftp://host', 'host', 'http://host/?key=secret'])
      assert.throws(
        () => new Brandport({ baseUrl, apiKey: 'key' }),
        (error: Error) => error instanceof TypeError && !error.message.includes('secret'),
      );
  });

  it('and the address are named when they are missing, as from an environment that does not set them', () => {
    const nothing = process.env['BRANDPORT_NOT_SET'] as string;
    for (const missing of [nothing, '']) {
      const refused = {
        baseUrl: { baseUrl: missing, apiKey: 'key' },
        apiKey: { baseUrl: clientUrl, apiKey: missing },
      };
      for (const [name, options] of Object.entries(refused))
        assert.throws(() => new Brandport(options), { name: 'TypeError', message: `${name} is missing.` });
    }
  });

  it('is not sent on when the service redirects', async () => {
    const elsewhere = await startFaultProxy(clientUrl, () => null);
    const moved = await startFaultProxy(clientUrl, () => ({ status: 307 }));
    const { apiKey } = await newBrand();
    const call = new Brandport({ baseUrl: moved.url, apiKey }).catalog.status();
    await assert.rejects(call, { code: 'unexpected_response', status: 307 });
    assert.equal(elsewhere.seen.length, 0);
  });
});

describe('a hook that throws', () => {
  it('does not affect the call', async () => {
    const fail = () => {
      throw new Error('broken observer');
    };
    const { brandport } = await newBrand({ hooks: { onRequest: fail, onResponse: fail, onPage: fail } });
    await brandport.catalog.products.create({ sku: 'A' });
    assert.equal((await brandport.catalog.products.list().toArray()).length, 1);
  });
});
