import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';

const { admin } = await createTestApps();

/** Values that a field must reject, and the field in the error. */
const badNames = [null, 7, true, [], {}, '', 'x'.repeat(256), 'a\u0000b', 'a\ud800b'];
const badSettings: Record<string, unknown[]> = {
  currency: [null, 7, true, [], {}, '', 'eur', 'EURO', 'ABX', 'E\u0000R'],
  default_language: [
    null,
    7,
    true,
    [],
    {},
    '',
    'en_US',
    'e',
    'en\u0000',
    `en-${'a'.repeat(8)}-${'b'.repeat(40)}`,
  ],
  low_stock_threshold: [null, '5', true, [], {}, -1, 1.5, 2147483648, 1e300],
  stale_after_hours: ['5', true, [], {}, 0, -1, 1.5, 2147483648, 1e300],
};

describe('wrong values', () => {
  for (const name of badNames)
    it(`are rejected as a name: ${JSON.stringify(name).slice(0, 40)}`, async () => {
      await assertRefused('name', { name });
    });

  for (const [setting, values] of Object.entries(badSettings))
    for (const value of values)
      it(`are rejected as ${setting}: ${JSON.stringify(value).slice(0, 40)}`, async () => {
        await assertRefused(`settings.${setting}`, { name: 'A', settings: { [setting]: value } });
      });

  for (const settings of [null, 7, 'x', true, []])
    it(`are rejected as settings: ${JSON.stringify(settings)}`, () =>
      assertRefused('settings', { name: 'A', settings }));

  async function assertRefused(field: string, body: object): Promise<void> {
    const created = await admin.post('/brands', body);
    assert.deepEqual([created.status, created.json.code], [422, 'validation_failed']);
    assert.deepEqual(Object.keys(created.json.errors), [field]);
    const { json: brand } = await admin.post('/brands', { name: 'Target' });
    const patched = await admin.patch(`/brands/${brand.id}`, body);
    assert.deepEqual([patched.status, Object.keys(patched.json.errors)], [422, [field]]);
    const { summary: _, figures: __, ...unchanged } = (await admin.get(`/brands/${brand.id}`)).json;
    assert.deepEqual(unchanged, brand);
  }
});
