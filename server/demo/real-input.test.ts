import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { defaultDataDir, missingFiles } from './data-files.ts';
import { dataSets } from './data-sets/index.ts';
import { differencesOf, startDemoUnderTest } from './demo.fixture.ts';

const dataDir = process.env['BRANDPORT_REAL_DATA'] || defaultDataDir;
const isThere = missingFiles(dataDir, dataSets).length === 0;
if (!isThere)
  process.stderr.write(
    `\n*** NOT TESTED: the published data sets are not in ${dataDir}, real-input.test.ts is SKIPPED ***\n\n`,
  );

test('published products and translations come back exactly, and sending them again creates nothing', {
  skip: !isThere,
}, async () => {
  const { run, testDatabase } = await startDemoUnderTest();
  const results = await run(dataSets, { dataDir, part: 150 });

  assert.deepEqual(differencesOf(results), []);
  const sizes = new Map([
    ['open-filament-database', 150],
    ['commercetools-sunrise', 32],
  ]);
  for (const { dataSet, name, records } of results)
    if (name !== 'totals') assert.equal(records, sizes.get(dataSet), `${dataSet}, ${name}`);
  assert.equal(results.length, 2 * 8);

  const stored = await testDatabase.sql(
    `select b.name, count(distinct p.id)::int as products, count(distinct p.sku)::int as skus,
       (select count(*)::int from idempotency_records r where r.brand_id = b.id) as records,
       (select count(*)::int from products t where t.brand_id = b.id and t.title ~ '[^\\x01-\\x7e]') as beyond_ascii,
       (select count(*)::int from products t where t.brand_id = b.id and t.versions ? 'de') as german
     from brands b join products p on p.brand_id = b.id group by b.id order by b.id`,
  );
  assert.deepEqual(stored, [
    {
      name: 'Real data: open-filament-database',
      products: 150,
      skus: 150,
      records: 150,
      beyond_ascii: 3,
      german: 0,
    },
    {
      name: 'Real data: commercetools-sunrise',
      products: 32,
      skus: 32,
      records: 32,
      beyond_ascii: 13,
      german: 32,
    },
  ]);
});
