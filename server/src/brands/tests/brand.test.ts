import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../errors/api-error.ts';
import { type Brand, brandDifference, changedBrand, defaultSettings } from '../brand.ts';
import { brandIdFromPath, settingsFromWire } from '../brand-wire.ts';

const moment = new Date('2026-03-01T08:30:00Z');
const brand: Brand = { id: 1, name: 'A', settings: defaultSettings, createdAt: moment, updatedAt: moment };

describe('a change of a brand', () => {
  it('merges settings and keeps absent ones', () => {
    const changed = changedBrand(brand, { settings: { staleAfterHours: 48 } });
    assert.deepEqual(changed, { ...brand, settings: { ...defaultSettings, staleAfterHours: 48 } });
  });

  it('can set a setting back to null', () => {
    const stale = changedBrand(brand, { settings: { staleAfterHours: 48 } });
    assert.equal(changedBrand(stale, { settings: { staleAfterHours: null } }).settings.staleAfterHours, null);
  });

  it('is reported field by field, under the API names', () => {
    const changed = changedBrand(brand, { name: 'B', settings: { currency: 'EUR', lowStockThreshold: 0 } });
    assert.deepEqual(brandDifference(brand, changed), {
      name: { from: 'A', to: 'B' },
      'settings.low_stock_threshold': { from: 5, to: 0 },
    });
    assert.deepEqual(brandDifference(brand, changedBrand(brand, {})), {});
  });
});

describe('settings of a body', () => {
  it('have only the keys that were sent; null is a value', () => {
    assert.deepEqual(settingsFromWire({ stale_after_hours: null }), { staleAfterHours: null });
    assert.deepEqual(settingsFromWire(), {});
  });

  it('ignore unknown keys, also those with a meaning in JavaScript', () => {
    const input = JSON.parse(
      '{"__proto__": {"currency": "USD"}, "constructor": 1, "id": 7, "currency": "SEK"}',
    );
    assert.deepEqual(settingsFromWire(input), { currency: 'SEK' });
  });
});

describe('a brand id in a path', () => {
  it('is a positive integer that fits the column', () => {
    assert.equal(brandIdFromPath('1'), 1);
    assert.equal(brandIdFromPath('2147483647'), 2147483647);
  });

  for (const text of [
    '0',
    '-1',
    '01',
    '1.0',
    '1e3',
    ' 1',
    '2147483648',
    '99999999999',
    'abc',
    '',
    '\u0000',
    '١',
  ])
    it(`is 404 when it is ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => brandIdFromPath(text),
        (error) => error instanceof ApiError && error.code === 'not_found',
      );
    });
});
