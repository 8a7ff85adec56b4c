import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Location } from '../location.ts';
import { changedLocation, newLocation } from '../location.ts';

const now = new Date('2026-03-01T08:30:00.000Z');
const later = new Date('2026-03-02T08:30:00.000Z');
const creation = { brandId: 1, externalCode: 'WH', fields: {} };
const location: Location = newLocation(creation, { id: 7, isTaken: false, now });

describe('a new location', () => {
  it('is named after its code, and active', () => {
    const times = { createdAt: now, updatedAt: now };
    const fields = { name: 'WH', isActive: true, pointOfSaleTuId: null };
    assert.deepEqual(location, { brandId: 1, id: 7, externalCode: 'WH', ...fields, ...times });
  });

  it('is refused for a code that the brand has; for the reserved one in any case', () => {
    assert.throws(() => newLocation(creation, { id: 7, isTaken: true, now }), { code: 'conflict' });
    const reserved = { ...creation, externalCode: '__default__' };
    for (const isTaken of [true, false])
      assert.throws(() => newLocation(reserved, { id: 7, isTaken, now }), { code: 'validation_failed' });
  });
});

describe('a changed location', () => {
  it('has the given fields, and is stamped', () => {
    assert.deepEqual(changedLocation(location, { isActive: false }, later), {
      ...location,
      isActive: false,
      updatedAt: later,
    });
  });

  it('is the same one if nothing differs', () => {
    assert.equal(changedLocation(location, {}, later), location);
    assert.equal(changedLocation(location, { name: 'WH', isActive: true }, later), location);
  });

  it('keeps a later stamp after the clock was set back', () => {
    const ahead = { ...location, updatedAt: later };
    assert.equal(changedLocation(ahead, { name: 'X' }, now).updatedAt, later);
  });

  it('does not exist for an unknown code and the default one', () => {
    assert.throws(() => changedLocation(null, {}, now), { code: 'not_found' });
    assert.throws(() => changedLocation({ ...location, externalCode: '__default__' }, {}, now), {
      code: 'not_found',
    });
  });
});
