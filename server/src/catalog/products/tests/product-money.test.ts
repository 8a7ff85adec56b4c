import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'MONEY' });
const path = `/catalog/products/${product.tu_id}`;

/** The price in the database and in the response: as text, so that the conversion to a number can hide no difference. */
async function priceAfter(literal: string) {
  const answer = await client.patch(path, `{"price_value": ${literal}}`);
  assert.equal(answer.status, 200, answer.text);
  const [row] = await apps.sql<{ stored: string }>(
    'select price_value::text as stored from products where brand_id = $1 and tu_id = $2',
    [brandId, product.tu_id],
  );
  return { shown: /"price_value":([^,]+),/.exec(answer.text)?.[1], stored: row?.stored };
}

/** Formats ten-thousandths as a decimal with four places. */
const fourPlaces = (units: bigint) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`;
const withoutTrailingZeros = (decimal: string) => decimal.replace(/\.?0+$/, '');

// [platform-39]
describe('a price', () => {
  it('is exact to four places over its whole range, in the database and in the response', async () => {
    const units = fc.oneof(
      fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
      fc.bigInt({ min: 999_999_999_990_000n, max: 999_999_999_999_999n }),
      fc.bigInt({ min: 0n, max: 20_000n }),
    );
    await fc.assert(
      fc.asyncProperty(units, async (amount) => {
        const decimal = fourPlaces(amount);
        assert.deepEqual(await priceAfter(decimal), {
          shown: withoutTrailingZeros(decimal),
          stored: decimal,
        });
      }),
      {
        numRuns: 40,
        examples: [
          [0n],
          [1n],
          [9_999n],
          [10_000n],
          [999_999_999_999_999n],
          [999_999_999_999_998n],
          [123_456_789_012_345n],
        ],
      },
    );
  });

  for (const [literal, shown, stored] of [
    ['-0', '0', '0.0000'],
    ['0.0', '0', '0.0000'],
    ['12.50000000', '12.5', '12.5000'],
    ['1e2', '100', '100.0000'],
    ['1E-4', '0.0001', '0.0001'],
    ['99999999999.9999', '99999999999.9999', '99999999999.9999'],
    ['1e10', '10000000000', '10000000000.0000'],
    ['1.00000000000000001', '1', '1.0000'],
    ['19.9000000000000001', '19.9', '19.9000'],
  ] as const)
    it(`that is sent as ${literal} is ${shown}`, async () => {
      assert.deepEqual(await priceAfter(literal), { shown, stored });
    });

  for (const literal of [
    '100000000000',
    '99999999999.99995',
    '-0.0001',
    '-1',
    '0.00001',
    '19.99999',
    '0.30000000000000004',
    '1e-7',
    '1e11',
    '1e400',
    '-1e400',
    '1e999999999',
    '9'.repeat(5000),
    '5e-324',
  ])
    it(`cannot be ${literal.slice(0, 30)}`, async () => {
      const before = await client.get(path);
      for (const answer of [
        await client.patch(path, `{"price_value": ${literal}}`),
        await client.create('/catalog/products', `{"sku": "X", "price_value": ${literal}}`),
      ])
        assertRefused(answer, 'validation_failed', ['price_value']);
      assert.equal((await client.get(path)).text, before.text);
    });
});
