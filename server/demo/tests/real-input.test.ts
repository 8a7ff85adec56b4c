import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { defaultDataDir, missingFiles } from '../data-files.ts';
import { commercetoolsSunrise } from '../data-sets/commercetools-sunrise.ts';
import type { DataSet } from '../data-sets/data-set.ts';
import { catalogDataSets } from '../data-sets/index.ts';
import { magento2SampleData } from '../data-sets/magento2-sample-data.ts';
import { openFilamentDatabase } from '../data-sets/open-filament-database.ts';
import { spoolmandb } from '../data-sets/spoolmandb.ts';
import { uciOnlineRetail } from '../data-sets/uci-online-retail/uci-online-retail.ts';
import { examine } from '../doctor.ts';
import { type DemoUnderTest, differencesOf, startDemoUnderTest } from './demo.ts';

const dataDir = process.env['BRANDPORT_REAL_DATA'] || defaultDataDir;
const skip = missingFiles(dataDir, catalogDataSets).length > 0;
if (skip)
  process.stderr.write(
    `\n*** NOT TESTED: the published data sets are not in ${dataDir}, real-input.test.ts is SKIPPED ***\n\n`,
  );
const demo = skip ? null : await startDemoUnderTest();

/** Runs a part of a data set and expects no difference. Returns the number of records of each step. */
async function recordsOf(dataSet: DataSet, part: number): Promise<Record<string, number>> {
  const { run, server } = demo as DemoUnderTest;
  const results = await run([dataSet], { dataDir, part });
  assert.deepEqual(differencesOf(results), []);
  const diagnosis = await examine(server, new AbortController().signal);
  assert.ok(diagnosis.isSound, diagnosis.text);
  return Object.fromEntries(results.map(({ name, records }) => [name, records]));
}

const roundTrip = (products: number) => ({
  create: products,
  totals: 5,
  'read by 200, sku': products,
  'read by 50, -updated_at': products,
  'read by 7, created_at': products,
  'send again': products,
  'read by 200, -created_at': products,
});

test('published products are served unchanged, and sending them again creates nothing', {
  skip,
}, async () => {
  assert.deepEqual(await recordsOf(openFilamentDatabase, 150), roundTrip(150));
  assert.deepEqual(await stored('open-filament-database'), {
    products: 150,
    variants: 0,
    records: 150,
    beyond_ascii: 3,
    german: 0,
    levels: 0,
  });
});

test('an inventory with mostly unknown SKUs is reported line by line', { skip }, async () => {
  assert.deepEqual(await recordsOf(commercetoolsSunrise, 1_500), {
    ...roundTrip(32),
    'create axis values': 36,
    'select axes': 32,
    'create variants': 119,
    'send feeds': 1_619,
    'read reports': 1_619,
    'send feeds again': 1_619,
    'read products': 32,
    'read levels': 119,
    'read ledger': 119,
  });
  assert.deepEqual(await stored('commercetools-sunrise'), {
    products: 32,
    variants: 119,
    records: 32 + 2 + 119 + 1,
    beyond_ascii: 13,
    german: 32,
    levels: 119,
  });
});

test('a shop with sizes, colours and stock is served unchanged in every read', { skip }, async () => {
  const variants = 150;
  assert.deepEqual(await recordsOf(magento2SampleData, 10), {
    create: 10,
    'create axis values': 25,
    'select axes': 10,
    'create variants': variants,
    'send feeds': variants,
    'read reports': variants,
    'send feeds again': variants,
    'read products': 10,
    'read levels': variants,
    'read ledger': variants,
    totals: 5,
  });
});

test('every combination of a declared selection is generated, and too many are rejected', {
  skip,
}, async () => {
  assert.deepEqual(await recordsOf(spoolmandb, 15), {
    create: 15,
    'create axis values': 1051,
    'select axes': 15,
    'plan variants': 186,
    'generate variants': 186,
    'generate again': 186,
    'refuse above 500': 1,
    'read products': 15,
    totals: 5,
  });
});

test('a year of sales, sent as feeds partly out of order, ends with the stock computed from the file', {
  skip,
}, async () => {
  assert.deepEqual(await recordsOf(uciOnlineRetail, 60), {
    create: 60,
    totals: 5,
    'read by 200, sku': 60,
    'find by SKU and case': 60,
    'send feeds': 1_889,
    'read reports': 1_889,
    'send feeds again': 1_889,
    'read levels': 60,
    'read ledger': 475,
  });
  const results = await (demo as DemoUnderTest).testDatabase.sql(
    `select l.result, count(*)::int as lines from stock_feed_lines l
     join brands b on b.id = l.brand_id
     where b.name = 'Real data: uci-online-retail' group by l.result order by l.result`,
  );
  assert.deepEqual(Object.fromEntries(results.map(({ result, lines }) => [result, lines])), {
    applied: 475,
    stale: 341,
    superseded: 1_072,
    unchanged: 1,
  });
});

/** The data of the last brand of a data set. */
async function stored(name: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await (demo as DemoUnderTest).testDatabase.sql(
    `select
       (select count(*)::int from products p where p.brand_id = b.id) as products,
       (select count(*)::int from variants v where v.brand_id = b.id) as variants,
       (select count(*)::int from idempotency_records r where r.brand_id = b.id) as records,
       (select count(*)::int from products p where p.brand_id = b.id and p.title ~ '[^\\x01-\\x7e]') as beyond_ascii,
       (select count(*)::int from products p where p.brand_id = b.id and p.versions ? 'de') as german,
       (select count(*)::int from stock_levels l where l.brand_id = b.id) as levels
     from brands b where b.name = $1`,
    [`Real data: ${name}`],
  );
  return row;
}
