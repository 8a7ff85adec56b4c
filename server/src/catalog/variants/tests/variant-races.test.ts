// processes: fifty requests at once, round after round
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, newAxes, newVariant, outcomes } from '../../tests/new-axes.ts';
import { combinationsOf, racer, repeat, worked } from './races.ts';

const apps = await createTestApps();
const colors = Array.from({ length: 50 }, (_, i) => `c${i}`);
let client: ApiClient;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: [...colors, 'red', 'blue'], size: ['s', 'm', 'l'] });
});

describe('50 concurrent creations', () => {
  it('of one combination create exactly one variant', async () => {
    const { create, list } = await racer(client, { color: ['red'] });
    const answers = await Promise.all(colors.map((sku) => create(sku, { color: 'red' })));
    assert.deepEqual(outcomes(answers), { '201': 1, '409 conflict': 49 });
    assert.deepEqual((await list()).data, [answers.find(worked)?.json]);
    await assertRollupsTrue(apps);
  });

  it('with one SKU create exactly one variant', async () => {
    const { create, list } = await racer(client, { color: colors });
    const answers = await Promise.all(colors.map((color) => create('ONE', { color })));
    assert.deepEqual(outcomes(answers), { '201': 1, '409 duplicate_sku': 49 });
    assert.equal((await list()).meta.total, 1);
  });

  it('with one SKU, of products and of variants, create exactly one of them', async () => {
    const { create, sku } = await racer(client, { color: colors });
    const product = { sku: `${sku}-ONE` };
    const answers = await Promise.all(
      colors.map((color, i) =>
        i % 2 === 0 ? create('ONE', { color }) : client.create('/catalog/products', product),
      ),
    );
    assert.deepEqual(outcomes(answers), { '201': 1, '409 duplicate_sku': 49 });
  });

  it('of 50 combinations create all of them, each at another position', async () => {
    const { create, list } = await racer(client, { color: colors });
    const answers = await Promise.all(colors.map((color) => create(`S-${color}`, { color })));
    assert.deepEqual(outcomes(answers), { '201': 50 });
    const { data } = await list();
    assert.deepEqual(
      data.map(({ position }: { position: number }) => position),
      colors.map((_, i) => i),
    );
    await assertRollupsTrue(apps);
  });
});

describe('concurrent generations', () => {
  for (const count of [2, 5])
    it(`create each combination once, for ${count} of them`, async () => {
      await repeat(5, async () => {
        const { generate, list } = await racer(client, { color: ['red', 'blue'], size: ['s', 'm', 'l'] });
        const answers = await Promise.all(Array.from({ length: count }, () => generate()));
        assert.deepEqual(outcomes(answers), { '201': count });
        const created = answers.map(({ json }) => json.created).sort((a, b) => b - a);
        assert.deepEqual(created, [6, ...Array.from({ length: count - 1 }, () => 0)]);
        const { data } = await list();
        assert.equal(combinationsOf(data), 6);
        assert.equal(data.length, 6);
      });
      await assertRollupsTrue(apps);
    });

  it('with different templates create each combination once too', async () => {
    const { generate, list } = await racer(client, { color: ['red', 'blue'], size: ['s', 'm', 'l'] });
    const answers = await Promise.all(
      ['x', 'y', 'z'].map((mark) => generate({ sku_template: `{sku}-{color}-{size}-${mark}` })),
    );
    assert.deepEqual(outcomes(answers), { '201': 3 });
    const { data } = await list();
    assert.equal(data.length, 6);
    assert.equal(new Set(data.map(({ sku }: { sku: string }) => sku.slice(-1))).size, 1);
  });

  it('and creations of the same combinations create each combination once', async () => {
    await repeat(8, async () => {
      const { generate, create, list } = await racer(client, { color: colors });
      const [generated, ...created] = await Promise.all([
        generate(),
        ...colors.slice(0, 20).map((color) => create(`mine-${color}`, { color })),
      ]);
      assert.equal(generated?.status, 201);
      const mine = created.filter(worked).length;
      assert.ok(created.every((answer) => worked(answer) || answer.json.code === 'conflict'));
      assert.equal(generated?.json.created + mine, 50);
      const { data } = await list();
      assert.equal(combinationsOf(data), 50);
    });
    await assertRollupsTrue(apps);
  });

  it('and a product that takes one of their SKUs: one of the two is refused', async () => {
    await repeat(10, async () => {
      const { generate, sku, list } = await racer(client, { color: colors });
      const [generated, product] = await Promise.all([
        generate(),
        client.create('/catalog/products', { sku: `${sku}-c7` }),
      ]);
      const refusals = [generated, product].filter((answer) => !worked(answer));
      assert.equal(refusals.length, 1);
      assert.ok(['conflict', 'duplicate_sku'].includes(refusals[0]?.json.code));
      assert.equal((await list()).meta.total, worked(generated) ? 50 : 0);
    });
  });

  it('and changes of the product’s price leave that price in every variant', async () => {
    await repeat(8, async (index) => {
      const { generate, patch, detail } = await racer(client, { color: colors });
      const answers = await Promise.all([generate({ activate: true }), patch({ price_value: index + 1 })]);
      assert.ok(answers.every(worked));
      const { price_range, variants } = await detail();
      assert.deepEqual(price_range, { min: index + 1, max: index + 1, currency: 'EUR' });
      assert.ok(
        variants.every(({ price }: { price: object }) => (price as { value: number }).value === index + 1),
      );
    });
    await assertRollupsTrue(apps);
  });
});

describe('all operations at once', () => {
  it('on one product cause no visible deadlock and leave every rollup correct', async () => {
    const { tuId, create, generate, select, patch, list } = await racer(client, {
      color: ['red', 'blue'],
      size: ['s'],
    });
    const first = await newVariant(client, tuId, {
      sku: 'FIRST',
      axis_values: { color: 'red', size: 's' },
      is_active: true,
    });
    await repeat(6, async (index) => {
      const { data } = await list();
      const answers = await Promise.all([
        generate({ activate: index % 2 === 0, sku_template: `{sku}-{color}-{size}-${index}` }),
        create(`${index}-extra`, { color: 'blue', size: 's' }),
        select({ color: ['red', 'blue'], size: ['s', 'm'] }),
        select({ size: ['s'], color: ['red', 'blue'] }),
        patch({ price_value: index }),
        patch({ is_active: index % 2 === 1 }),
        client.patch(`/catalog/variants/${first.tu_id}`, {
          is_active: index % 2 === 1,
          price: { value: index },
        }),
        client.patch(`/catalog/variants/${first.tu_id}`, { sku: `FIRST-${index}` }),
        ...data.slice(1).map(({ tu_id }: { tu_id: string }) => client.delete(`/catalog/variants/${tu_id}`)),
      ]);
      for (const { status, text } of answers) assert.ok(status < 500, text);
    });
    await assertRollupsTrue(apps);
  });
});
