import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fault, type FaultRule, FaultRules, parseFault } from '../faults.ts';

const drop: Fault = { kind: 'drop' };
const rule = (more: Partial<FaultRule>): FaultRule => ({
  text: 'drop',
  operation: null,
  share: null,
  every: 1,
  fault: drop,
  ...more,
});

/** Returns which of the next requests meet a fault. */
function metBy(rules: FaultRules, count: number, operation = 'createProduct', brandId = 1): number[] {
  return Array.from({ length: count }, (_, at) => at + 1).filter(
    () => rules.next(brandId, operation) !== null,
  );
}

describe('the rules of faults', () => {
  it('give a seed the same faults twice, another seed others, and about the share', () => {
    const of = (seed: number) => {
      const rules = new FaultRules();
      rules.replace(null, seed, [rule({ share: 0.2 })]);
      return metBy(rules, 1_000);
    };
    assert.deepEqual(of(7), of(7));
    assert.notDeepEqual(of(7), of(8));
    assert.ok(of(7).length > 150 && of(7).length < 250, String(of(7).length));
  });

  it('count the requests of their operation, whichever others come between', () => {
    const rules = new FaultRules();
    rules.replace(null, 0, [rule({ operation: 'adjustStock', every: 3 })]);
    assert.deepEqual(metBy(rules, 10), []);
    assert.deepEqual(metBy(rules, 3, 'adjustStock'), [3]);
    assert.deepEqual(metBy(rules, 10), []);
    assert.deepEqual(metBy(rules, 4, 'adjustStock'), [3]);
  });

  it('of a brand come before those of all, and leave other brands alone', () => {
    const rules = new FaultRules();
    rules.replace(2, 0, [rule({ every: 2 })]);
    assert.deepEqual(metBy(rules, 4), []);
    assert.deepEqual(metBy(rules, 4, 'getProduct', 2), [2, 4]);
    rules.replace(null, 0, [rule({ fault: { kind: 'truncate' } })]);
    assert.deepEqual(rules.next(2, 'getProduct'), { kind: 'truncate' });
    assert.deepEqual(rules.next(2, 'getProduct'), drop);
    rules.replace(null, 0, []);
    rules.replace(2, 0, []);
    assert.deepEqual(metBy(rules, 4, 'getProduct', 2), []);
  });
});

describe('a fault', () => {
  const read: Record<string, Fault> = {
    'drop-after-commit': { kind: 'drop-after-commit' },
    ' html-502 ': { kind: 'html-502' },
    'delay=0': { kind: 'delay', ms: 0 },
    'delay=60000': { kind: 'delay', ms: 60_000 },
    'status=500': { kind: 'status', status: 500, retryAfter: null },
    'status=503; retry-after=2': { kind: 'status', status: 503, retryAfter: 2 },
    'status=429;retry-after=3600': { kind: 'status', status: 429, retryAfter: 3_600 },
  };
  for (const [text, fault] of Object.entries(read))
    it(`is read: ${text}`, () => assert.deepEqual(parseFault(text), fault));
  for (const text of [
    '',
    'drop, drop',
    'Drop',
    'delay=60001',
    'delay=-1',
    'status=418',
    'status=429; retry-after=3601',
  ])
    it(`is refused: ${text}`, () => assert.equal(parseFault(text), null));
});
