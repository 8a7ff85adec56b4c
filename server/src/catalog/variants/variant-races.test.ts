import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient, ApiResponse } from '../../../test/kit/api-client.ts';
import { createTestApps } from '../../../test/kit/test-apps.ts';
import {
  type Axes,
  assertRollupsTrue,
  newAxes,
  newParent,
  newVariant,
  ok,
  outcomes,
  selecting,
} from '../catalog.fixture.ts';

const apps = await createTestApps();
const colors = Array.from({ length: 50 }, (_, i) => `c${i}`);
let client: ApiClient;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: [...colors, 'red', 'blue'], size: ['s', 'm', 'l'] });
});

let rounds = 0;
/** A product of its own for one round of a race. */
async function racer(axes: Axes) {
  rounds += 1;
  const { tu_id } = await newParent(client, axes, { sku: `R${rounds}` });
  const path = `/catalog/products/${tu_id}`;
  return {
    tuId: tu_id as string,
    sku: `R${rounds}`,
    create: (sku: string, axis_values: object) => client.create(`${path}/variants`, { sku, axis_values }),
    generate: (body?: object) => client.create(`${path}/variants/generate`, body),
    select: (to: Axes) => client.put(`${path}/axes`, selecting(to)),
    patch: (body: object) => client.patch(path, body),
    detail: () => ok(client.get(path)),
    list: () => ok(client.get(`${path}/variants?per_page=200`)),
  };
}

const combinationsOf = (variants: { axis_values: Record<string, string> }[]) =>
  variants.map(({ axis_values }) => JSON.stringify(axis_values)).sort();
const worked = ({ status }: ApiResponse) => status < 300;

/**
 * Sends two requests at once, in every other round the second one first; answers both, and who has worked. Exactly one
 * may, and over the rounds each has to.
 */
async function contest(
  times: number,
  round: (index: number) => Promise<[one: () => Promise<ApiResponse>, other: () => Promise<ApiResponse>]>,
  check: (one: ApiResponse, other: ApiResponse, index: number) => Promise<void>,
): Promise<void> {
  let wonByOne = 0;
  await repeat(times, async (index) => {
    const [one, other] = await round(index);
    const swapped = index % 2 === 1;
    const [first, second] = await Promise.all(swapped ? [other(), one()] : [one(), other()]);
    const [answer, otherAnswer] = swapped ? [second, first] : [first, second];
    const winners = [answer, otherAnswer].filter(worked).length;
    assert.equal(winners, 1, `${answer.text} ${otherAnswer.text}`);
    if (worked(answer)) wonByOne += 1;
    await check(answer, otherAnswer, index);
  });
  assert.ok(wonByOne > 0 && wonByOne < times, `${wonByOne} of ${times}`);
}

async function repeat(times: number, round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < times; index += 1) await round(index);
}

describe('50 creations at once', () => {
  it('of one combination make exactly one variant', async () => {
    const { create, list } = await racer({ color: ['red'] });
    const answers = await Promise.all(colors.map((sku) => create(sku, { color: 'red' })));
    assert.deepEqual(outcomes(answers), { '201': 1, '409 conflict': 49 });
    assert.deepEqual((await list()).data, [answers.find(worked)?.json]);
    await assertRollupsTrue(apps);
  });

  it('with one SKU make exactly one variant', async () => {
    const { create, list } = await racer({ color: colors });
    const answers = await Promise.all(colors.map((color) => create('ONE', { color })));
    assert.deepEqual(outcomes(answers), { '201': 1, '409 duplicate_sku': 49 });
    assert.equal((await list()).meta.total, 1);
  });

  it('with one SKU, of products and of variants, make exactly one of them', async () => {
    const { create } = await racer({ color: colors });
    const answers = await Promise.all(
      colors.map((color, i) =>
        i % 2 === 0 ? create('ONE', { color }) : client.create('/catalog/products', { sku: 'ONE' }),
      ),
    );
    assert.deepEqual(outcomes(answers), { '201': 1, '409 duplicate_sku': 49 });
  });

  it('of 50 combinations make all of them, each at its own position', async () => {
    const { create, list } = await racer({ color: colors });
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

describe('generations at once', () => {
  for (const count of [2, 5])
    it(`end with each combination once, for ${count} of them`, async () => {
      await repeat(5, async () => {
        const { generate, list } = await racer({ color: ['red', 'blue'], size: ['s', 'm', 'l'] });
        const answers = await Promise.all(Array.from({ length: count }, () => generate()));
        assert.deepEqual(outcomes(answers), { '201': count });
        const created = answers.map(({ json }) => json.created).sort((a, b) => b - a);
        assert.deepEqual(created, [6, ...Array.from({ length: count - 1 }, () => 0)]);
        const { data } = await list();
        assert.equal(new Set(combinationsOf(data)).size, 6);
        assert.equal(data.length, 6);
      });
      await assertRollupsTrue(apps);
    });

  it('with different templates end with each combination once too', async () => {
    const { generate, list } = await racer({ color: ['red', 'blue'], size: ['s', 'm', 'l'] });
    const answers = await Promise.all(
      ['x', 'y', 'z'].map((mark) => generate({ sku_template: `{sku}-{color}-{size}-${mark}` })),
    );
    assert.deepEqual(outcomes(answers), { '201': 3 });
    const { data } = await list();
    assert.equal(data.length, 6);
    assert.equal(new Set(data.map(({ sku }: { sku: string }) => sku.slice(-1))).size, 1);
  });

  it('and creations of the same combinations end with each combination once', async () => {
    await repeat(8, async () => {
      const { generate, create, list } = await racer({ color: colors });
      const [generated, ...created] = await Promise.all([
        generate(),
        ...colors.slice(0, 20).map((color) => create(`${rounds}-mine-${color}`, { color })),
      ]);
      assert.equal(generated?.status, 201);
      const mine = created.filter(worked).length;
      assert.ok(created.every((answer) => worked(answer) || answer.json.code === 'conflict'));
      assert.equal(generated?.json.created + mine, 50);
      const { data } = await list();
      assert.equal(new Set(combinationsOf(data)).size, 50);
    });
    await assertRollupsTrue(apps);
  });

  it('and a product that takes one of their SKUs: one of the two is refused', async () => {
    await repeat(10, async () => {
      const { generate, sku, list } = await racer({ color: colors });
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

  it('and changes of the product’s price end with that price in every variant', async () => {
    await repeat(8, async (index) => {
      const { generate, patch, detail } = await racer({ color: colors });
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

describe('of a selection and a creation at once exactly one works', () => {
  it('where the selection leaves out the value of the variant', async () => {
    await contest(
      24,
      async () => {
        const { create, select } = await racer({ color: ['red', 'blue'] });
        return [() => create(`${rounds}-red`, { color: 'red' }), () => select({ color: ['blue'] })];
      },
      async (created, selected) => assert.equal((worked(created) ? selected : created).status, 422),
    );
    await assertRollupsTrue(apps);
  });

  it('where the selection adds an axis', async () => {
    await contest(
      24,
      async () => {
        const { create, select } = await racer({ color: ['red'] });
        return [
          () => create(`${rounds}-red`, { color: 'red' }),
          () => select({ color: ['red'], size: ['s'] }),
        ];
      },
      async (created, selected) => assert.equal((worked(created) ? selected : created).status, 422),
    );
  });

  it('where the selection detaches an axis of the variant', async () => {
    await contest(
      24,
      async () => {
        const { create, select } = await racer({ color: ['red'], size: ['s'] });
        return [() => create(`${rounds}-red`, { color: 'red', size: 's' }), () => select({ color: ['red'] })];
      },
      async (created, selected) => {
        if (worked(created)) assert.equal(selected.json.code, 'axis_in_use');
        else assert.equal(created.status, 422);
      },
    );
    await assertRollupsTrue(apps);
  });
});

describe('deleting what is about to be used fails on one side, never works on both:', () => {
  it('a value while a variant that uses it is created', async () => {
    await contest(
      40,
      async (index) => {
        const value = `fleeting-${index}`;
        await ok(client.post('/catalog/axes/color/values', { value }), 201);
        const { create, select } = await racer({ color: [value, 'blue'] });
        const remove = async () => {
          await select({ color: ['blue'] });
          return client.delete(`/catalog/axes/color/values/${value}`);
        };
        return [() => create(`${rounds}-v`, { color: value }), remove];
      },
      async (created, deleted) => {
        if (worked(created)) assert.equal(deleted.json.code, 'value_in_use');
        else assert.equal(created.status, 422);
      },
    );
    await assertRollupsTrue(apps);
  });

  it('a value while a product selects it', async () => {
    const { select } = await racer({ size: ['s'] });
    await contest(
      24,
      async (index) => {
        const value = `wanted-${index}`;
        await ok(client.post('/catalog/axes/color/values', { value }), 201);
        return [() => select({ color: [value] }), () => client.delete(`/catalog/axes/color/values/${value}`)];
      },
      async (selected, deleted) => {
        if (worked(selected)) assert.equal(deleted.json.code, 'value_in_use');
        else assert.equal(selected.status, 422);
        await ok(select({}));
      },
    );
  });

  it('an axis while it is attached to a product', async () => {
    const { select } = await racer({ size: ['s'] });
    await contest(
      24,
      async (index) => {
        const code = `axis-${index}`;
        await newAxes(client, { [code]: ['x'] });
        return [() => select({ [code]: ['x'] }), () => client.delete(`/catalog/axes/${code}`)];
      },
      async (selected, deleted) => {
        if (worked(selected)) assert.equal(deleted.json.code, 'axis_in_use');
        else assert.equal(selected.status, 422);
        await ok(select({}));
      },
    );
    await assertRollupsTrue(apps);
  });
});

describe('everything at once', () => {
  it('on one product never deadlocks visibly and leaves every rollup true', async () => {
    const { tuId, create, generate, select, patch, list } = await racer({
      color: ['red', 'blue'],
      size: ['s'],
    });
    const first = await newVariant(client, tuId, 'FIRST', { color: 'red', size: 's' }, { is_active: true });
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
