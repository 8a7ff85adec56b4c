import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client, apiKey } = await apps.newBrand();
const origin = await apps.clientApp.listen({ host: '127.0.0.1', port: 0 });
after(() => apps.clientApp.close());

/** Sends the request as a client does: the code is one percent-encoded segment of a URL, which is then normalised. */
async function patchByUrl(path: string, body: object) {
  const response = await fetch(`${origin}/v1/client/catalog${path}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the assertions check its shape.
  return { status: response.status, json: (await response.json()) as any };
}

const segment = encodeURIComponent;

describe('a code that a URL path cannot contain', () => {
  for (const code of ['.', '..'])
    it(`is refused by every operation that creates a code: ${code}`, async () => {
      const axes = '/catalog/axes';
      assertRefused(await client.post(axes, { code }), 'validation_failed', ['code']);
      assertRefused(
        await client.post(axes, { code: 'dots', values: [{ value: 'a' }, { value: code }] }),
        'validation_failed',
        ['values.1.value'],
      );
      assert.equal((await client.post(axes, { code: `real${code}` })).status, 201);
      assertRefused(await client.post(`${axes}/real${code}/values`, { value: code }), 'validation_failed', [
        'value',
      ]);
      assertRefused(
        await client.post('/catalog/stock/locations', { external_code: code }),
        'validation_failed',
        ['external_code'],
      );
    });

  it('is an unknown location in a feed line, not a malformed line', async () => {
    const lines = [{ sku: 'A', location_code: '..', quantity: 1 }];
    const feed = await client.create('/catalog/stock/feeds', { source: 'erp', mode: 'snapshot', lines });
    assert.equal(feed.status, 202, feed.text);
  });
});

describe('every other code', () => {
  const special = [
    '...',
    '.a',
    'a.',
    '..a',
    '-',
    '_',
    '%2e'.slice(1),
    '2e',
    'values',
    '__proto__',
    'constructor',
  ];

  it('of an axis and of a value is found by its URL', async () => {
    const codes = fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9._-]{1,64}$/),
      fc.stringMatching(/^[.]{1,4}$/),
      fc.constantFrom(...special),
    );
    await fc.assert(
      fc.asyncProperty(codes, codes, async (code, value) => {
        const made = await client.post('/catalog/axes', { code, values: [{ value }] });
        if (made.status !== 201) {
          assert.match(`${code} ${value}`, /^\.{1,2} | \.{1,2}$/);
          return;
        }
        const axis = await patchByUrl(`/axes/${segment(code)}`, { label: 'Found' });
        assert.deepEqual([axis.status, axis.json.code], [200, code]);
        const found = await patchByUrl(`/axes/${segment(code)}/values/${segment(value)}`, { label: 'Found' });
        assert.deepEqual([found.status, found.json.value], [200, value]);
        assert.equal((await client.delete(`/catalog/axes/${segment(code)}`)).status, 204);
      }),
      { numRuns: 60, examples: special.map((code) => [code, code]) },
    );
  });

  it('of a location is found by its URL', async () => {
    const codes = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9._~-]{1,64}$/),
      fc.constantFrom(...special, '~', '~.~'),
    );
    const made = new Set<string>();
    await fc.assert(
      fc.asyncProperty(codes, async (code) => {
        if (made.has(code)) return;
        made.add(code);
        const created = await client.post('/catalog/stock/locations', { external_code: code });
        if (created.status !== 201) return assert.match(code, /^\.{1,2}$/);
        const { status, json } = await patchByUrl(`/stock/locations/${segment(code)}`, { name: 'Found' });
        assert.deepEqual([status, json.external_code], [200, code]);
      }),
      { numRuns: 60, examples: special.map((code) => [code]) },
    );
  });
});
