import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { distanceToPart, nearestName, spellingDistance } from '../nearest-name.ts';

const adjustment = ['variant', 'location', 'quantity', 'expected_quantity', 'note'];
const product = ['sku', 'title', 'type', 'price_value', 'price_currency', 'tax_class', 'short_description'];
const list = ['sku', 'is_active', 'has_variants', 'updated_since', 'sort', 'page', 'per_page'];
const window = ['from', 'to', 'market', 'group_by', 'cursor', 'per_page'];

describe('the nearest name', () => {
  const meant: [given: string, known: string[], name: string][] = [
    ['tittle', product, 'title'],
    ['tilte', product, 'title'],
    ['SKU', product, 'sku'],
    ['priceValue', product, 'price_value'],
    ['description', product, 'short_description'],
    ['location_code', adjustment, 'location'],
    ['qty', adjustment, 'quantity'],
    ['expectedQty', adjustment, 'expected_quantity'],
    ['notes', adjustment, 'note'],
    ['updatedSince', list, 'updated_since'],
    ['perPage', list, 'per_page'],
    ['date_from', window, 'from'],
    ['date_to', window, 'to'],
    ['toDate', window, 'to'],
  ];
  for (const [given, known, name] of meant)
    it(`of ${given} is ${name}, and close`, () =>
      assert.deepEqual(nearestName(given, known), { name, isClose: true }));

  it('of a name with nothing in common is one of the known, and not close', () => {
    for (const given of ['zzz', '', '🦊', '__proto__', 'x'.repeat(10_000)]) {
      const nearest = nearestName(given, adjustment);
      assert.equal(nearest?.isClose, false, given);
      assert.ok(adjustment.includes(nearest.name));
    }
  });

  it('does not exist where nothing is known', () => assert.equal(nearestName('a', []), null));

  it('of a known name is that name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...list), (name) => {
        assert.deepEqual(nearestName(name, list), { name, isClose: true });
      }),
    );
  });

  it('is found for any text', () => {
    fc.assert(fc.property(anyText(), (given) => nearestName(given, list) !== null));
  });
});

describe('the distance to a part of a name', () => {
  const known: [given: string, name: string, distance: number][] = [
    ['sunrize', 'Sunrise', 1],
    ['terminl', 'The Terminal GmbH', 1],
    ['Polimaker', 'Polymaker', 1],
    ['polimak', 'Polymaker', 1.5],
    ['snurise', 'Sunrise Trading', 1],
    ['sunrise trading', 'New Sunrise-Trading', 1],
    ['unrise', 'Sunrise', 1],
    ['sunrise', 'SUNRISE', 0],
    ['söhne', 'Élan Söhne', 0],
  ];
  for (const [given, name, distance] of known)
    it(`from ${given} to ${name} is ${distance}`, () => assert.equal(distanceToPart(given, name), distance));

  it('is at most that to the whole name, and half a change more than nothing for a begin of it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), fc.stringMatching(/^[a-z]{1,12}$/), (given, name) => {
        assert.ok(distanceToPart(given, name) <= spellingDistance(given, name));
        assert.ok(distanceToPart(name, `${name}${given}`) <= 0.5);
      }),
    );
  });

  it('is a number for any text', () => {
    fc.assert(fc.property(anyText(), anyText(), (given, name) => distanceToPart(given, name) >= 0));
  });
});
