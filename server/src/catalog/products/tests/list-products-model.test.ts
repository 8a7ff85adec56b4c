// processes, alone: random histories and queries, compared with a list in memory
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();

interface Item {
  readonly id: number;
  readonly tu_id: string;
  readonly sku: string;
  readonly title: string;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

const skus = ['A', 'a', 'AB', 'B-1', 'B-2', 'Ä', 'é', '10', '9', '_'];
const anySku = fc.constantFrom(...skus);
const anyChange = fc.record(
  { sku: anySku, title: fc.constantFrom('x', 'y'), is_active: fc.boolean() },
  { requiredKeys: [] },
);
const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), sku: anySku, is_active: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('change' as const), which: fc.nat(20), change: anyChange }),
  },
);
const anyQuery = fc.record(
  {
    sku: fc.oneof(anySku, fc.constant('nothing')),
    is_active: fc.boolean(),
    has_variants: fc.boolean(),
    /** An index into the list of all stamps. */
    since: fc.nat(20),
    sort: fc.uniqueArray(
      fc.constantFrom('sku', '-sku', 'created_at', '-created_at', 'updated_at', '-updated_at', 'title'),
      { maxLength: 3 },
    ),
    page: fc.integer({ min: 1, max: 4 }),
    per_page: fc.integer({ min: 1, max: 6 }),
  },
  { requiredKeys: [] },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

/** Sends a step and applies its effect on the list to the model. */
async function perform(client: ApiClient, model: Map<string, Item>, step: Step): Promise<void> {
  const taken = (sku: string, by?: string) =>
    [...model.values()].some((item) => item.sku === sku && item.tu_id !== by);
  if (step.kind === 'create') {
    const { status, json } = await client.create('/catalog/products', {
      sku: step.sku,
      is_active: step.is_active,
    });
    assert.equal(status, taken(step.sku) ? 409 : 201);
    if (status === 201) model.set(json.tu_id, json);
    return;
  }
  const target = [...model.values()][step.which % Math.max(1, model.size)];
  if (target === undefined) return;
  const { status, json } = await client.patch(`/catalog/products/${target.tu_id}`, step.change);
  if (step.change.sku !== undefined && taken(step.change.sku, target.tu_id)) {
    assert.equal(status, 409);
    return;
  }
  assert.equal(status, 200);
  const changed = { ...target, ...step.change };
  const isSame = JSON.stringify(changed) === JSON.stringify(target);
  assert.equal(json.updated_at > target.updated_at, !isSame);
  const newest =
    [...model.values()]
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1) ?? '';
  if (!isSame) assert.ok(json.updated_at > newest);
  model.set(target.tu_id, { ...changed, updated_at: json.updated_at });
}

/** The response that the list must give. */
function answerOf(items: readonly Item[], query: Query, since: string | undefined) {
  const matching = items.filter(
    (item) =>
      (query.sku === undefined || item.sku === query.sku) &&
      (query.is_active === undefined || item.is_active === query.is_active) &&
      query.has_variants !== true &&
      (since === undefined || item.updated_at >= since),
  );
  const known = (query.sort ?? []).filter((key) => key !== 'title');
  const seen = new Set<string>();
  const keys = (known.length > 0 ? known : ['-updated_at'])
    .map((key) => ({ down: key.startsWith('-'), column: key.replace('-', '') as 'sku' | 'updated_at' }))
    .filter(({ column }) => !seen.has(column) && seen.add(column));
  const compare = (a: Item, b: Item) => {
    for (const { column, down } of keys) {
      const order = Buffer.compare(Buffer.from(a[column]), Buffer.from(b[column]));
      if (order !== 0) return down ? -order : order;
    }
    return keys.at(-1)?.down ? b.id - a.id : a.id - b.id;
  };
  const page = query.page ?? 1;
  const size = query.per_page ?? 50;
  return {
    ids: matching
      .toSorted(compare)
      .slice((page - 1) * size, page * size)
      .map(({ tu_id }) => tu_id),
    meta: {
      current_page: page,
      per_page: size,
      total: matching.length,
      last_page: Math.max(1, Math.ceil(matching.length / size)),
    },
  };
}

test('the product list answers every query after every history like a list in memory', async () => {
  const steps = fc.array(anyStep, { minLength: 4, maxLength: 18 });
  const queries = fc.array(anyQuery, { minLength: 15, maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(steps, queries, async (history, questions) => {
      const { client } = await apps.newBrand();
      const model = new Map<string, Item>();
      for (const step of history) await perform(client, model, step);
      const items = [...model.values()];
      for (const query of questions) {
        const { since: place, sort, ...rest } = query;
        const since = place === undefined ? undefined : items[place % Math.max(1, items.length)]?.updated_at;
        const parameters = new URLSearchParams({
          ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
          ...(sort !== undefined && { sort: sort.join(',') }),
          ...(since !== undefined && { updated_since: since }),
        });
        const { status, json } = await client.get(`/catalog/products?${parameters}`);
        assert.equal(status, 200);
        const answered = { ids: json.data.map(({ tu_id }: Item) => tu_id), meta: json.meta };
        assert.deepEqual(answered, answerOf(items, query, since), parameters.toString());
      }
    }),
    { numRuns: 12 },
  );
});
