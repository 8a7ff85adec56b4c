import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TurnError } from '../../../lib/limit-wait.ts';
import { type Waiting, WriteLine } from '../write-line.ts';

const shared = { set: {} };
const other = { set: {} };
const single = { set: { isAlone: () => true } };

/** A request of `brand` with a name for the test. */
function request(brand: number, name: string, operation: object = shared) {
  const write = { operation, request: {}, brandId: brand, keyed: null, name };
  return { write, mustBeAlone: false, giveUp: () => {}, leave: () => {} } as unknown as Waiting;
}

const nameOf = ({ write }: Waiting) => (write as unknown as { readonly name: string }).name;
const namesOf = (set: { readonly members: readonly Waiting[] } | null) => set?.members.map(nameOf) ?? [];

/** Adds requests `<brand>.<n>` for each brand of the list. */
function lineOf(brands: readonly number[]): WriteLine {
  const line = new WriteLine();
  const counts = new Map<number, number>();
  for (const brand of brands) {
    const n = (counts.get(brand) ?? 0) + 1;
    counts.set(brand, n);
    line.add(`stock ${brand}`, request(brand, `${brand}.${n}`));
  }
  return line;
}

describe('the line of writes', () => {
  it('serves brands in rotation, each in order of arrival and in one set at a time', () => {
    const line = lineOf([1, 1, 1, 1, 2, 2, 3]);
    const first = line.takeShared(4);
    assert.deepEqual(namesOf(first), ['1.1', '2.1', '3.1', '1.2']);
    line.add('stock 4', request(4, '4.1'));
    const second = line.takeShared(4);
    assert.deepEqual(namesOf(second), ['4.1']);
    assert.equal(line.takeShared(4), null);
    line.release(first as NonNullable<typeof first>);
    assert.deepEqual(namesOf(line.takeShared(10)), ['1.3', '2.2', '1.4']);
  });

  it('never gives a brand two places more than another that waits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 80 }),
        fc.integer({ min: 1, max: 20 }),
        (brands, most) => {
          const line = lineOf(brands);
          const left = Map.groupBy(brands, (brand) => brand);
          const waiting = new Map([...left].map(([brand, all]) => [brand, all.length]));
          let total = 0;
          for (let set = line.takeShared(most); set !== null; set = line.takeShared(most)) {
            const got = new Map<number, number>();
            for (const { write } of set.members) {
              got.set(write.brandId, (got.get(write.brandId) ?? 0) + 1);
              waiting.set(write.brandId, (waiting.get(write.brandId) ?? 0) - 1);
            }
            total += set.members.length;
            const others = [...waiting].filter(([, n]) => n > 0).map(([brand]) => got.get(brand) ?? 0);
            if (others.length > 0) assert.ok(Math.max(...got.values()) - Math.min(...others) <= 1);
            line.release(set);
          }
          assert.deepEqual([total, line.waiting], [brands.length, 0]);
        },
      ),
    );
  });

  it('puts only requests of one operation into a set, and others in a set of one', () => {
    const line = lineOf([1, 2]);
    line.add('stock 1', request(1, 'other', other));
    line.add('stock 3', request(3, 'single', single));
    const alone = line.takeAlone(32);
    assert.deepEqual(namesOf(alone), ['single']);
    const set = line.takeShared(32) as NonNullable<ReturnType<WriteLine['takeShared']>>;
    assert.deepEqual(namesOf(set), ['1.1', '2.1']);
    line.release(set);
    assert.deepEqual(namesOf(line.takeShared(32)), ['other']);
  });

  it('takes requests that were put back first, in their order, without those of other brands', () => {
    const line = lineOf([1, 1, 2, 1]);
    const set = line.takeShared(3) as NonNullable<ReturnType<WriteLine['takeShared']>>;
    assert.deepEqual(namesOf(set), ['1.1', '2.1', '1.2']);
    for (const item of [set.members[2], set.members[0]] as Waiting[])
      line.putBack('stock 1', item, { isBlocked: true });
    line.release(set);
    assert.equal(line.takeShared(3), null);
    assert.ok(line.isBlocked('stock 1'));
    const blocked = line.takeAlone(32) as NonNullable<ReturnType<WriteLine['takeAlone']>>;
    assert.deepEqual(namesOf(blocked), ['1.1', '1.2', '1.3']);
    line.unblock(blocked);
    line.release(blocked);
    assert.equal(line.waiting, 0);
  });

  it('forgets a request that leaves, and refuses one of a brand more than a thousand', () => {
    const line = new WriteLine();
    const leaving = request(1, 'leaving');
    line.add('stock 1', leaving);
    line.remove('stock 1', leaving);
    assert.equal(line.takeShared(1), null);
    for (let n = 0; n < 1_000; n += 1) line.add('stock 1', request(1, `${n}`));
    assert.throws(() => line.add('stock 1', request(1, 'more')), TurnError);
    line.add('stock 2', request(2, 'another'));
    assert.equal(line.waiting, 1_001);
  });
});
