// processes, alone: loads 600,000 rows, and explains every hot statement on three states of them
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { describe, it } from 'node:test';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { createTestApps } from '../support/test-apps.ts';
import { sendHotRequests } from './hot-requests.ts';
import { listPlannedEachTime } from './kept-plans.ts';
import { analyzeAllRows, keepUnanalyzed, loadAnalytics, loadCatalog } from './plan-data.ts';
import { PlanRecorder, type RecordedPlan } from './plan-recorder.ts';
import { compareCosts, costsOf, parseCosts, renderCosts, type State } from './plan-table.ts';

const page = new URL('plans.md', import.meta.url);

const recorder = new PlanRecorder();
const apps = await createTestApps();
await keepUnanalyzed(apps);
const brand = await apps.newBrand();
const { client, brandId } = brand;
for (const code of ['L1', 'L2'])
  await ok(client.post('/catalog/stock/locations', { external_code: code }), 201);
for (const [code, count] of Object.entries({ size: 4, big: 60 })) {
  const values = Array.from({ length: count }, (_, index) => ({ value: `b${index + 1}` }));
  await ok(client.post('/catalog/axes', { code, values }), 201);
}

/** Written at irregular times. */
const writtenInBackground = ['touch_api_keys', 'add_key_usage'];
/** Look-ups of the console: a plan that is kept from an empty database ends with the first ANALYZE, within seconds. */
const looks = /^(search_|list_skus$)/;
/**
 * Refusals: a brand has 10,000 at most. Until the statistics of a table that grew are taken, in 10 s, chance decides between
 * the index in order and a sort of them all, which takes 4 ms.
 */
const boundedTable = /_refusals/;

const plans = new Map<State, readonly RecordedPlan[]>();
const failures: string[] = [];

async function recordIn(
  state: State,
  subjects: Omit<Parameters<typeof sendHotRequests>[0], 'apps' | 'brand' | 'round'>,
) {
  recorder.plans.length = 0;
  await recorder.record(() => sendHotRequests({ apps, brand, round: state, ...subjects }));
  plans.set(
    state,
    recorder.plans.filter(
      ({ statement, mode }) =>
        !writtenInBackground.includes(statement) &&
        !(looks.test(statement) && mode === 'kept') &&
        !(boundedTable.test(statement) && (mode === 'kept' || state === 'fresh')),
    ),
  );
  failures.push(...recorder.failures.splice(0));
}

await recordEmpty();
await loadCatalog(apps, brandId);
await loadAnalytics(apps, brandId);
const large = {
  parent: idOf('p', 1),
  simple: idOf('p', 25_000),
  variant: idOf('v', 1),
  feed: idOf('f', 1),
  skus: Array.from({ length: 1_000 }, (_, n) =>
    n % 2 === 0 ? skuOf('V', 1 + n * 19) : skuOf('P', 5_001 + n * 24),
  ),
  learner: 'u17',
  learners: Array.from({ length: 1_000 }, (_, n) => `u${n * 3 + 1}`).filter((id) => !id.endsWith('000')),
};
await recordIn('fresh', large);
await analyzeAllRows(apps);
await recordIn('analysed', large);

function idOf(kind: string, number: number): string {
  return `${kind}${String(number).padStart(20, '0')}`;
}

function skuOf(kind: string, number: number): string {
  return `${kind}${String(number).padStart(6, '0')}`;
}

async function recordEmpty(): Promise<void> {
  const simple = await ok(client.create('/catalog/products', { sku: 'E1' }), 201);
  const parent = await ok(client.create('/catalog/products', { sku: 'E2' }), 201);
  const path = `/catalog/products/${parent.tu_id}`;
  await ok(client.put(`${path}/axes`, { axes: [{ code: 'size', values: ['b1'] }] }));
  const variant = await ok(
    client.create(`${path}/variants`, { sku: 'E3', axis_values: { size: 'b1' } }),
    201,
  );
  const lines = [{ sku: 'E1', location_code: 'L1', quantity: 1 }];
  const body = { source: 'test', mode: 'snapshot', lines };
  const feed = await ok(client.post('/catalog/stock/feeds', body, { 'idempotency-key': 'first' }), 202);
  const learners = ['l1', 'l2'];
  await ok(apps.admin.put(`/brands/${brandId}/users`, { items: learners.map((tu_id) => ({ tu_id })) }));
  await ok(
    apps.admin.put(`/brands/${brandId}/contents`, { items: [{ type: 'episode', tu_id: 'c2', name: 'C' }] }),
  );
  await recordIn('empty', {
    parent: parent.tu_id,
    simple: simple.tu_id,
    variant: variant.tu_id,
    feed: feed.feed_id,
    skus: ['E1', 'E3'],
    learner: 'l1',
    learners,
  });
}

// Statements that read a whole table, because they count or sum it. Those of a new axis or value count a library of some 50,000.
const counting =
  /^(count_|read_new_axis|read_directory_at_aggregation|write_day|list_changed_(?!levels)|correct_later|fold_)/;

/**
 * Statements whose plan depends on no value: a connection must not plan them again on every run. Filters are others: how many
 * rows match decides their plan.
 */
const plannedOnce =
  /^(find_credential|find_product_version|get_product_detail|list_(products|stock_levels|changed_levels|all_levels|variants|stock_movements)\/\/.*)$/;

describe('the plans of all hot statements, on an empty, a fresh and an analysed database', () => {
  it('could all be asked for', () => {
    assert.deepEqual(failures, []);
    assert.ok([...plans.values()].every((recorded) => recorded.length > 200));
  });

  it('read no large table whole', () => {
    const scans = [...plans].flatMap(([state, recorded]) =>
      recorded.flatMap(({ statement, mode, scans: scanned }) =>
        [...scanned]
          .filter(([, rows]) => rows > 300 && !counting.test(statement))
          .map(([table, rows]) => `${statement} (${state}, ${mode}): ${rows} rows of ${table}`),
      ),
    );
    assert.deepEqual(scans, []);
  });

  it('are planned once by a connection, if no value decides', async () => {
    const queries = [...recorder.reads.values()].filter(({ name }) => plannedOnce.test(name));
    const pages = queries.filter(({ name }) => name.endsWith('/offset'));
    assert.ok(pages.length >= 5, pages.map(({ name }) => name).join(', '));
    assert.deepEqual(await listPlannedEachTime(apps, queries), []);
  });

  it('read and sort as little as plans.md says', async () => {
    const costs = costsOf(plans);
    const expected = parseCosts(await readFile(page, 'utf8'));
    if (process.env['UPDATE_PLANS'] !== undefined) return writeFile(page, renderCosts(costs));
    assert.deepEqual(compareCosts(costs, expected), []);
  });
});
