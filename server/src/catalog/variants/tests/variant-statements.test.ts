import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { type Scope, scopes } from '../../../api/access.ts';
import { pageOf } from '../../../api/pagination.ts';
import type { Database } from '../../../postgres/database.ts';
import type { Statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { createAxis } from '../../axes/axis-operations.ts';
import { listAxes } from '../../axes/axis-store.ts';
import { replaceProductAxes } from '../../axis-selection/axis-selection-operations.ts';
import { type CatalogLock, lockCatalog, writeCatalogChanges } from '../../brand-catalog-store.ts';
import { getProductDetailUnless } from '../../products/product-store.ts';
import { newAxes, newParent, ok, selecting } from '../../tests/new-axes.ts';
import { generateVariants, readProductOfGeneration } from '../generate-variants.ts';
import { listVariantsUnless } from '../list-variants.ts';
import { deleteVariant, updateVariant } from '../variant-operations.ts';

const apps = await createTestApps();
const { client, brandId, keyId } = await apps.newBrand();
const caller = {
  brandId,
  keyId,
  lineageId: 1,
  keyName: null,
  scopes: new Set<Scope>(scopes),
  expiresAt: null,
};
const values = Array.from({ length: 300 }, (_, i) => `v${i}`);
await newAxes(client, { v: values });

/** Returns the names of the statements that `work` runs, in order. */
async function statementsOf(work: (database: Database) => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const noted = <T extends { run: Transaction['run'] }>(target: T): T['run'] =>
    ((statement: Statement<never>) => {
      names.push(statement.name);
      return target.run(statement);
    }) as T['run'];
  const { database } = apps;
  const counting = {
    run: noted(database),
    transaction: (inside: (tx: Transaction) => Promise<unknown>) =>
      database.transaction((tx) =>
        inside({
          run: noted(tx),
          queue: (statement) => {
            names.push(statement.name);
            tx.queue(statement);
          },
        }),
      ),
  } as unknown as Database;
  await work(counting);
  return names;
}

const inTransaction = (work: (tx: Transaction) => Promise<unknown>) =>
  statementsOf((database) => (database.transaction as (inside: typeof work) => Promise<unknown>)(work));

const underLock = (work: (catalog: CatalogLock) => Promise<unknown>) =>
  inTransaction(async (tx) => {
    const catalog = await lockCatalog(tx, brandId);
    await work(catalog);
    writeCatalogChanges([catalog]);
  });

/** Creates a product that selects `count` values, with a variant of each if `made`. */
async function parentOf(count: number, made: boolean) {
  const { tu_id } = await newParent(client, { v: values.slice(0, count) });
  if (made) await ok(client.create(`/catalog/products/${tu_id}/variants/generate`, { activate: true }), 201);
  return tu_id as string;
}

const [oneMade, manyMade] = [await parentOf(1, true), await parentOf(200, true)];

describe('the number of statements is the same for 1 and for 200 variants', () => {
  it('of a product detail: one', async () => {
    for (const tuId of [oneMade, manyMade])
      assert.deepEqual(
        await statementsOf((database) => getProductDetailUnless(database, brandId, tuId, null)),
        ['get_product_detail'],
      );
  });

  it('of a product detail with more: one on each of the two connections', async () => {
    const tuId = await parentOf(201, true);
    const names = await statementsOf((database) => getProductDetailUnless(database, brandId, tuId, null));
    assert.deepEqual(names, ['get_product_detail', 'get_product_detail']);
  });

  it('of a page of variants: one', async () => {
    for (const [tuId, filter] of [
      [oneMade, {}],
      [manyMade, {}],
      [manyMade, { isActive: true, sku: 'x' }],
    ] as const) {
      const names = await statementsOf((database) =>
        listVariantsUnless(database, brandId, tuId, { filter, page: pageOf({ per_page: 200 }), known: null }),
      );
      assert.equal(names.length, 1);
    }
  });

  it('of a dry run and of a generation, response included', async () => {
    const run = async (productTuId: string) => ({
      plan: await inTransaction((tx) => readProductOfGeneration({ tx, brandId }, productTuId)),
      generation: await underLock((catalog) => generateVariants(catalog, { productTuId, activate: true })),
    });
    const one = await run(await parentOf(1, false));
    assert.deepEqual(await run(await parentOf(200, false)), one);
    assert.deepEqual(one.plan, ['read_product_of_generation']);
    assert.ok(one.generation.length <= 9, one.generation.join());
  });

  it('of a change of a variant and of a deletion', async () => {
    const run = async (tuId: string) => {
      const { data } = await ok(client.get(`/catalog/products/${tuId}/variants`));
      const variant = data[0].tu_id;
      const changes = { sku: `${variant}-renamed`, isActive: false };
      return [
        await underLock((catalog) => updateVariant(catalog, { caller, tuId: variant, changes })),
        await underLock((catalog) => deleteVariant(catalog, variant)),
      ];
    };
    assert.deepEqual(await run(oneMade), await run(manyMade));
  });
});

describe('the number of statements is the same for 1 and for 200 values', () => {
  it('of an axis selection', async () => {
    const run = async (count: number) => {
      const tuId = await parentOf(1, false);
      const { axes } = selecting({ v: values.slice(1, count + 1) });
      return underLock((catalog) => replaceProductAxes(catalog, { productTuId: tuId, wanted: axes }));
    };
    assert.deepEqual(await run(200), await run(1));
  });

  it('of a new axis and of the list of axes', async () => {
    const run = async (code: string, count: number) => {
      const given = values.slice(0, count).map((value) => ({ value, label: null, position: null }));
      const axis = { code, label: null, position: null, values: given };
      const made = await underLock((catalog) => createAxis(catalog, axis));
      return [made, await statementsOf((database) => listAxes(database, brandId, undefined, pageOf({})))];
    };
    assert.deepEqual(await run('wide', 200), await run('narrow', 1));
  });
});
