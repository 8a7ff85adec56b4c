import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'S-03', is_active: true });

describe('an invalid query', () => {
  const wrong: Record<string, readonly string[]> = {
    page: [
      '0',
      '-1',
      '1.5',
      'one',
      '',
      'NaN',
      'Infinity',
      '1e3',
      '%2B1',
      '-9'.padEnd(40, '9'),
      'null',
      '0x1',
    ],
    per_page: ['0', '-5', '50.0', '', 'all', '1,5'],
    is_active: ['', 'TRUE', 'yes', '2', 'null', '-1'],
    has_variants: ['', 'False', 'no', '10'],
    updated_since: [
      '',
      '2026-03-01',
      '2026-03-01T08:30:00',
      '2026-02-30T00:00:00Z',
      'yesterday',
      '1772353800',
      '0000-01-01T00:00:00Z',
      '2026-03-01T08:30:00%20Z',
    ],
    sku: ['%00', 'a%00b'],
    sort: ['%00'],
  };

  for (const [parameter, texts] of Object.entries(wrong))
    it(`is refused on ${parameter}`, async () => {
      for (const text of texts)
        assertRefused(await client.get(`/catalog/products?${parameter}=${text}`), 'validation_failed', [
          parameter,
        ]);
    });

  it('is refused on a parameter that is repeated', async () => {
    for (const [parameter, value] of [
      ['page', '1'],
      ['sku', 'S-03'],
      ['is_active', 'true'],
      ['sort', 'sku'],
      ['updated_since', product.updated_at],
    ])
      assertRefused(
        await client.get(`/catalog/products?${parameter}=${value}&${parameter}=${value}`),
        'validation_failed',
        [parameter as string],
      );
  });

  it('is refused with every wrong parameter listed', async () => {
    const answer = await client.get('/catalog/products?page=0&per_page=x&is_active=maybe&updated_since=now');
    assertRefused(answer, 'validation_failed', ['page', 'per_page', 'is_active', 'updated_since']);
  });

  it('never causes a server error, for any bytes', async () => {
    for (const query of [
      'sku=%FF%FE',
      'sku=%E0%A4%A',
      'sku=%',
      '%00=1',
      '&&&',
      '=',
      '?',
      'sku',
      'sku=%ED%A0%80',
      `sku=${'x'.repeat(8000)}`,
    ]) {
      const { status } = await client.get(`/catalog/products?${query}`);
      assert.ok(status === 200 || status === 422, `${query}: ${status}`);
    }
  });
});
