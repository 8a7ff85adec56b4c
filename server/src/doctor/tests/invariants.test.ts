// processes, alone: damages every invariant
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { applyFeed } from '../../catalog/feeds/tests/feeds.ts';
import { adjusted, newLocation, newSimple } from '../../catalog/stock/tests/stock.ts';
import { newAxes, newParent, newVariant, ok } from '../../catalog/tests/new-axes.ts';
import { datasetInvariants } from '../dataset-invariants.ts';
import { type DoctorAnalytics, examineAnalytics } from '../examine-analytics.ts';
import { examineBrand, mainInvariants } from '../examine-brand.ts';
import { examineDatasets } from '../examine-datasets.ts';
import type { CheckReport } from '../report.ts';
import { damages } from './damages.ts';
import { type Finding, findingsOf } from './examine.ts';

const invariants = [...mainInvariants, ...datasetInvariants];
const apps = await createTestApps({ runsJobs: true });
const yesterday = yesterdayOf(apps.clock.now());

// Some damage is done to rows that foreign keys refer to.
const foreignKeys = await apps.sql<{ name: string; child: string }>(
  `select conname as name, conrelid::regclass::text as child from pg_constraint
   where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace and confrelid <> 'brands'::regclass`,
);
for (const { name, child } of foreignKeys) await apps.sql(`alter table ${child} drop constraint ${name}`);

/** Creates a brand with data of every kind. */
async function newFullBrand() {
  const brand = await newSeededBrand(apps);
  const { client } = brand;
  await newLocation(client, 'WH');
  await brand.put('pos', [{ tu_id: 'shop', location: 'WH' }]);
  await newSimple(client, 'U');
  for (const sku of ['S', 'T']) {
    const product = await newSimple(client, sku);
    await adjusted(client, product.tu_id, { location: 'WH', quantity: 5 });
    await adjusted(client, product.tu_id, { location: 'WH', quantity: 3 });
  }
  await newAxes(client, { size: ['s', 'm', 'l'] });
  const parent = await newParent(client, { size: ['s', 'm'] }, { sku: 'P' });
  const variant = await newVariant(client, parent.tu_id, {
    sku: 'P-s',
    axis_values: { size: 's' },
    is_active: true,
  });
  const gone = await newVariant(client, parent.tu_id, { sku: 'P-m', axis_values: { size: 'm' } });
  await adjusted(client, parent.tu_id, { variant: variant.tu_id, location: 'WH', quantity: 4 });
  await ok(client.delete(`/catalog/variants/${gone.tu_id}`), 204);
  const line = { location_code: 'WH', quantity: 4 };
  await applyFeed(client, [
    { ...line, sku: 'P-s' },
    { ...line, sku: 'NONE' },
  ]);
  await brand.send([{ day: yesterday }]);
  await brand.aggregate({ from: yesterday, to: yesterday });
  return brand;
}

const analytics: DoctorAnalytics = {
  examine: examineDatasets(apps.database),
  aggregate: async (brandId, { from, to }) => {
    const { status } = await apps.admin.post(`/brands/${brandId}/aggregations`, { from, to });
    assert.equal(status, 200);
  },
};

async function examine(brandId: number, repair: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  const options = { repair, report: (check: CheckReport) => void findings.push(...findingsOf(check)) };
  await examineBrand(apps.database, brandId, options);
  await examineAnalytics(apps.database, analytics, brandId, options);
  return findings;
}

const names = (findings: readonly Finding[]) => [...new Set(findings.map(({ check }) => check))].sort();
/** Removes the part of a field that is specific to a row. */
const fieldsOf = (findings: readonly Finding[], check: string) =>
  [
    ...new Set(
      findings.filter((f) => f.check === check).map(({ field }) => field.replace(/^value .*/, 'value')),
    ),
  ].sort();

async function spoil(sql: string, brandId: number): Promise<void> {
  const rows = await apps.sql(`${sql} returning 1`, [brandId]);
  assert.ok(rows.length > 0, 'the damage hits no row');
}

describe('the list of invariants', () => {
  // [internal-49]
  it('has a damage case for each, and no case for another', () => {
    assert.deepEqual(Object.keys(damages).sort(), invariants.map(({ id }) => id).sort());
    for (const { id, repair } of invariants)
      assert.equal(damages[id]?.some(({ cured }) => cured) ?? false, repair !== null, id);
    for (const { id, repair, rewrite } of mainInvariants)
      assert.equal(rewrite !== undefined, repair !== null, id);
  });
});

describe('the doctor finds in a brand that only its services wrote to', () => {
  it('nothing', async () => {
    const { brandId } = await newFullBrand();
    assert.deepEqual(await examine(brandId, false), []);
  });
});

for (const [id, cases] of Object.entries(damages))
  describe(`damage to ${id}`, () => {
    for (const { sql, fields, cured = false, also = [] } of cases)
      it(`is found${cured ? ' and repaired' : ', and nothing is repaired'}: ${sql.slice(0, 90)}`, async () => {
        const { brandId } = await newFullBrand();
        await spoil(sql, brandId);
        const found = await examine(brandId, false);
        assert.deepEqual(names(found), [id, ...also].sort());
        assert.deepEqual(fieldsOf(found, id), [...fields].sort());
        const repaired = await examine(brandId, true);
        assert.deepEqual(names(repaired), names(found));
        const left = await examine(brandId, false);
        if (cured) assert.deepEqual(left, []);
        else assert.deepEqual(names(left), names(found));
      });
  });
