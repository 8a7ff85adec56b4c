import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();

let made = 0;
async function newProduct(fields: object = {}) {
  made += 1;
  const { json } = await client.create('/catalog/products', { sku: `P-${made}`, ...fields });
  return { before: json, path: `/catalog/products/${json.tu_id}` };
}

describe('a PATCH of a product', () => {
  const changes: Record<string, unknown> = {
    sku: 'RENAMED',
    title: 'Renamed',
    type: 'simple',
    price_value: 12.3456,
    price_currency: 'JPY',
    tax_class: 'reduced',
    short_description: 'Short.',
    is_active: true,
    default_language: 'ja',
    versions: { ja: { title: 'シャツ' } },
  };

  for (const [field, value] of Object.entries(changes))
    it(`of ${field} writes that field and leaves the others`, async () => {
      const { before, path } = await newProduct();
      const { status, json } = await client.patch(path, { [field]: value });
      assert.equal(status, 200);
      const { updated_at, ...expected } = { ...before, [field]: value };
      const { updated_at: moved, ...actual } = json;
      assert.deepEqual(actual, expected);
      assert.equal(moved > updated_at, field !== 'type');
      assert.deepEqual((await client.get(path)).json, json);
    });

  // [catalog-16]
  it('replaces the translations as a whole', async () => {
    const { path } = await newProduct({
      versions: { en: { title: 'A', short_description: 'a' }, de: { title: 'B' } },
    });
    const { json } = await client.patch(path, { versions: { en: { title: 'C' } } });
    assert.deepEqual(json.versions, { en: { title: 'C' } });
    assert.deepEqual((await client.patch(path, { versions: {} })).json.versions, {});
  });

  it('does not change the title when it changes translations', async () => {
    const { path } = await newProduct({ versions: { en: { title: 'From the start' } } });
    const { json } = await client.patch(path, { versions: { en: { title: 'Later' } } });
    assert.equal(json.title, 'From the start');
  });

  // [catalog-17]
  it('clears the description with null, and can empty it', async () => {
    const { path } = await newProduct({ short_description: 'Text.' });
    assert.equal((await client.patch(path, { short_description: '' })).json.short_description, '');
    assert.equal((await client.patch(path, { short_description: null })).json.short_description, null);
  });

  // [catalog-18]
  it('archives and publishes again', async () => {
    const { path } = await newProduct({ is_active: true });
    assert.equal((await client.patch(path, { is_active: false })).json.is_active, false);
    assert.equal((await client.get(path)).status, 200);
    assert.equal((await client.patch(path, { is_active: true })).json.is_active, true);
  });
});

describe('a PATCH that changes nothing', () => {
  for (const [what, body] of [
    ['an empty body', {}],
    ['unknown keys alone', { stock_count: 4, id: 9, updated_at: '2001-01-01T00:00:00Z' }],
    [
      'the values that are there',
      { title: 'Same', price_value: 5, is_active: false, short_description: null },
    ],
    ['translations in another order', { versions: { fr: {}, de: { short_description: 'y', title: 'x' } } }],
  ] as const)
    it(`(${what}) leaves updated_at unchanged`, async () => {
      const versions = { de: { title: 'x', short_description: 'y' }, fr: {} };
      const { before, path } = await newProduct({ title: 'Same', price_value: 5, versions });
      const answer = await client.patch(path, body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, before);
      const list = await client.get(`/catalog/products?updated_since=${before.updated_at}&sku=${before.sku}`);
      assert.equal(list.json.data[0].updated_at, before.updated_at);
    });

  it('(minus zero as a price of zero) leaves updated_at unchanged', async () => {
    const { before, path } = await newProduct();
    assert.deepEqual((await client.patch(path, '{"price_value": -0}')).json, before);
  });
});

describe('the timestamps of a product', () => {
  it('increase with every change, each at least a millisecond after the one before', async () => {
    const { before, path } = await newProduct();
    const stamps: string[] = [before.updated_at];
    for (let i = 0; i < 20; i += 1) {
      const { json } = await client.patch(path, { price_value: i + 1 });
      assert.equal(json.created_at, before.created_at);
      stamps.push(json.updated_at);
    }
    assert.deepEqual(stamps, [...new Set(stamps)].sort());
  });
});

describe('50 concurrent changes of one product', () => {
  it('all succeed in sequence, and the last one remains', async () => {
    const { path } = await newProduct();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => client.patch(path, { price_value: i + 1 })),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const byStamp = answers.map(({ json }) => json).sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
    assert.equal(new Set(byStamp.map(({ updated_at }) => updated_at)).size, 50);
    assert.deepEqual((await client.get(path)).json, byStamp.at(-1));
  });

  it('in different fields are all kept', async () => {
    const { path } = await newProduct();
    const changes = [
      { title: 'T' },
      { tax_class: 'x' },
      { price_value: 3 },
      { is_active: true },
      { short_description: 'd' },
    ];
    await Promise.all(changes.map((change) => client.patch(path, change)));
    assert.partialDeepStrictEqual((await client.get(path)).json, Object.assign({}, ...changes));
  });
});
