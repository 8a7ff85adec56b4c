// processes, alone: damages what the doctor cannot repair
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { examine, type Finding, told } from './examine.ts';
import { newShop, type Spoiling } from './shop.ts';

const apps = await createTestApps({ runsJobs: true });
const { sql } = apps;

const lasting: Spoiling[] = [
  {
    // The rollup is not adjusted to a level that its ledger contradicts.
    what: 'a quantity, of which the ledger and the rollup know nothing',
    spoil: `update stock_levels set quantity = 50 where brand_id = $1 and location_code = 'CLOSED'`,
    found: ({ name, simple }) => [
      `stock_ledger ${name}-S @ CLOSED sum_of_movements: 50 > 9`,
      `stock_ledger ${name}-S @ CLOSED last_movement: 50 > 9`,
      `product_stock ${simple} total_quantity: 12 > 53`,
    ],
  },
  {
    what: 'the ledger, by losing the last movement of a level',
    spoil: `delete from stock_movements where brand_id = $1 and quantity_after = 3`,
    found: ({ name }) => [
      `stock_ledger ${name}-S @ WH sum_of_movements: 3 > 5`,
      `stock_ledger ${name}-S @ WH last_movement: 3 > 5`,
    ],
  },
  {
    what: 'the ledger, by losing the first movement of a level',
    spoil: `delete from stock_movements where brand_id = $1 and quantity_after = 5`,
    found: ({ name }) => [
      `stock_ledger ${name}-S @ WH sum_of_movements: 3 > -2`,
      `stock_ledger ${name}-S @ WH chain_of_movements: 5 > 0`,
    ],
  },
  {
    what: 'the ledger, by two errors that cancel each other out in the sum',
    spoil: `update stock_movements set quantity_after = case quantity_after when 5 then 6 else 2 end
      where brand_id = $1 and quantity_after in (5, 3)`,
    found: ({ name }) =>
      [
        `stock_ledger ${name}-S @ WH sum_of_movements: 3 > 3`,
        `stock_ledger ${name}-S @ WH last_movement: 3 > 2`,
        `stock_ledger ${name}-S @ WH chain_of_movements: 5 > 6`,
      ].slice(1),
  },
  {
    what: 'the ledger of the level of a deleted variant',
    spoil: `delete from stock_movements where brand_id = $1 and sku like '%-l'`,
    found: ({ name }) => [
      `stock_ledger ${name}-l @ __default__ sum_of_movements: 6 > 0`,
      `stock_ledger ${name}-l @ __default__ last_movement: 6 > 0`,
    ],
  },
  {
    what: 'the number of lines of a feed',
    spoil: `update stock_feeds set received_lines = 4 where brand_id = $1`,
    found: ({ feed }) => [`feed_totals ${feed} received_lines: 4 > 3`],
  },
  {
    what: 'a completed feed with a line that was never decided',
    spoil: `with gone as (
        update stock_feed_packs set results = overlay(results placing '.' from 3) where brand_id = $1
      )
      update stock_feeds set totals = '{"applied": 2}' where brand_id = $1`,
    found: ({ feed }) => [`feed_totals ${feed} lines_passed_over: 0 > 1`],
  },
];

for (const { what, spoil, found } of lasting)
  it(`the doctor finds and cannot repair ${what}`, async () => {
    const shop = await newShop(apps, `n${lasting.findIndex((spoiling) => spoiling.what === what)}`);
    const before = await sql('select to_jsonb(l) as level from stock_levels l order by l.id');
    await sql(spoil, [shop.brandId]);
    const ofShop = (findings: Finding[]) => findings.filter(({ outcome }) => outcome === 'not repairable');
    const findings = ofShop(await examine(apps, false));
    assert.deepEqual(findings.map(told), found(shop));
    const spoiled = await sql('select to_jsonb(l) as level from stock_levels l order by l.id');
    await examine(apps, true);
    assert.deepEqual(await sql('select to_jsonb(l) as level from stock_levels l order by l.id'), spoiled);
    assert.deepEqual((await examine(apps, true)).map(told), found(shop));
    // For the following tests: permanent damage is removed with its brand.
    await sql('delete from stock_movements where brand_id = $1', [shop.brandId]);
    await sql('update stock_levels set quantity = 0 where brand_id = $1', [shop.brandId]);
    await sql('delete from stock_feed_packs where brand_id = $1', [shop.brandId]);
    await sql('delete from stock_feeds where brand_id = $1', [shop.brandId]);
    await examine(apps, true);
    assert.ok(before.length > 0);
  });
