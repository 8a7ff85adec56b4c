import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TurnError } from '../../../postgres/turn-error.ts';
import { RequestLine } from '../request-line.ts';

const limitMs = 60_000;
const never = () => assert.fail('the request did not give up');

/** Adds requests `<brand>.<n>` for each brand in the list. */
function lineOf(brands: readonly number[]): RequestLine<string> {
  const line = new RequestLine<string>();
  const counts = new Map<number, number>();
  for (const brand of brands) {
    const n = (counts.get(brand) ?? 0) + 1;
    counts.set(brand, n);
    line.add(brand, `${brand}.${n}`, { limitMs }, never);
  }
  return line;
}

describe('a line of requests', () => {
  it('serves brands in rotation and each in order of arrival', () => {
    const line = lineOf([1, 1, 1, 1, 2, 2, 3]);
    assert.deepEqual(line.take(4), ['1.1', '2.1', '3.1', '1.2']);
    assert.deepEqual(line.take(10), ['2.2', '1.3', '1.4']);
    assert.deepEqual(line.take(10), []);
  });

  it('never gives a brand two places more than another that waits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 80 }),
        fc.integer({ min: 1, max: 20 }),
        (brands, most) => {
          const line = lineOf(brands);
          const left = new Map(
            [...new Set(brands)].map((brand) => [brand, brands.filter((b) => b === brand).length]),
          );
          let total = 0;
          for (let taken = line.take(most); taken.length > 0; taken = line.take(most)) {
            total += taken.length;
            const got = new Map<number, number>();
            for (const item of taken) {
              const brand = Number(item.split('.')[0]);
              got.set(brand, (got.get(brand) ?? 0) + 1);
              left.set(brand, (left.get(brand) ?? 0) - 1);
            }
            const waiting = [...left].filter(([, n]) => n > 0).map(([brand]) => got.get(brand) ?? 0);
            if (waiting.length > 0) assert.ok(Math.max(...got.values()) - Math.min(...waiting) <= 1);
          }
          assert.deepEqual([total, line.length], [brands.length, 0]);
        },
      ),
    );
  });

  it('refuses one brand more than a thousand, and no other', () => {
    const line = lineOf(Array.from({ length: 1_000 }, () => 1));
    assert.throws(() => line.add(1, 'more', { limitMs }, never), TurnError);
    line.add(2, '2.1', { limitMs }, never);
    assert.deepEqual(line.take(2), ['1.1', '2.1']);
    line.add(1, '1.1001', { limitMs }, never);
    line.take(2_000);
    assert.equal(line.length, 0);
  });

  it('lets a request leave after its limit or when its client is gone', async () => {
    const line = new RequestLine<string>();
    const client = new AbortController();
    const reasons: unknown[] = [];
    const late = new Promise<void>((resolve) => {
      line.add(1, 'late', { limitMs: 5 }, (reason) => {
        reasons.push(reason);
        resolve();
      });
    });
    line.add(1, 'gone', { limitMs, gone: () => client.signal }, (reason) => reasons.push(reason));
    line.add(1, 'stays', { limitMs }, never);
    client.abort('gone');
    await late;
    assert.equal(reasons[0], 'gone');
    assert.ok(reasons[1] instanceof TurnError);
    line.add(1, 'gone before', { limitMs, gone: () => AbortSignal.abort('at once') }, (reason) =>
      reasons.push(reason),
    );
    assert.equal(reasons[2], 'at once');
    assert.deepEqual(line.take(5), ['stays']);
    assert.equal(line.length, 0);
  });
});
