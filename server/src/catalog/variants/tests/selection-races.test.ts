// processes, alone: repeats races until both orders have occurred
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, newAxes, ok } from '../../tests/new-axes.ts';
import { contest, racer, worked } from './races.ts';

const apps = await createTestApps();
let client: ApiClient;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue'], size: ['s', 'm', 'l'] });
});

describe('of a concurrent selection and creation exactly one succeeds', () => {
  it('if the selection omits the value of the variant', async () => {
    await contest(
      24,
      async () => {
        const { create, select } = await racer(client, { color: ['red', 'blue'] });
        return [() => create(`red`, { color: 'red' }), () => select({ color: ['blue'] })];
      },
      (created, selected) => assert.equal((worked(created) ? selected : created).status, 422),
    );
    await assertRollupsTrue(apps);
  });

  it('if the selection adds an axis', async () => {
    await contest(
      24,
      async () => {
        const { create, select } = await racer(client, { color: ['red'] });
        return [() => create(`red`, { color: 'red' }), () => select({ color: ['red'], size: ['s'] })];
      },
      (created, selected) => assert.equal((worked(created) ? selected : created).status, 422),
    );
  });

  it('if the selection detaches an axis of the variant', async () => {
    await contest(
      24,
      async () => {
        const { create, select } = await racer(client, { color: ['red'], size: ['s'] });
        return [() => create(`red`, { color: 'red', size: 's' }), () => select({ color: ['red'] })];
      },
      async (created, selected) => {
        if (worked(created)) assert.equal(selected.json.code, 'axis_in_use');
        else assert.equal(created.status, 422);
      },
    );
    await assertRollupsTrue(apps);
  });
});

describe('of a deletion and a concurrent use exactly one succeeds:', () => {
  it('a value while a variant that uses it is created', async () => {
    await contest(
      40,
      async (index) => {
        const value = `fleeting-${index}`;
        await ok(client.post('/catalog/axes/color/values', { value }), 201);
        const { create, select } = await racer(client, { color: [value, 'blue'] });
        const remove = async () => {
          await select({ color: ['blue'] });
          return client.delete(`/catalog/axes/color/values/${value}`);
        };
        return [() => create(`v`, { color: value }), remove];
      },
      async (created, deleted) => {
        if (worked(created)) assert.equal(deleted.json.code, 'value_in_use');
        else assert.equal(created.status, 422);
      },
    );
    await assertRollupsTrue(apps);
  });

  it('a value while a product selects it', async () => {
    const { select } = await racer(client, { size: ['s'] });
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
    const { select } = await racer(client, { size: ['s'] });
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
