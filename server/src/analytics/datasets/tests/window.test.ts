import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { resolveWindow, servedPart } from '../walk.ts';

const yesterday = '2026-03-09';
const rules = { defaultDays: 30, capDays: 92 };

describe('a window', () => {
  for (const [name, query, from, to] of [
    ['without ends is the last days up to yesterday', {}, '2026-02-07', '2026-03-09'],
    ['without an end ends yesterday', { from: '2026-03-01' }, '2026-03-01', '2026-03-09'],
    ['without a beginning goes back from its end', { to: '2025-03-31' }, '2025-03-01', '2025-03-31'],
    ['may end later than yesterday', { to: '2026-12-31' }, '2026-12-01', '2026-12-31'],
    ['may be one day', { from: '2024-02-29', to: '2024-02-29' }, '2024-02-29', '2024-02-29'],
    ['may be as long as its cap', { from: '2026-01-01', to: '2026-04-02' }, '2026-01-01', '2026-04-02'],
    ['does not go back before the first year', { to: '0001-01-03' }, '0001-01-01', '0001-01-03'],
  ] as const)
    it(name, () => assert.deepEqual(resolveWindow(query, rules, yesterday), { from, to }));

  for (const [name, query, code] of [
    ['that is a day longer than its cap', { from: '2026-01-01', to: '2026-04-03' }, 'date_range_too_large'],
    ['that ends before it begins', { from: '2026-03-02', to: '2026-03-01' }, 'validation_failed'],
    ['that begins after yesterday and has no end', { from: '2026-03-10' }, 'validation_failed'],
    ['of all time', { from: '0001-01-01', to: '9999-12-31' }, 'date_range_too_large'],
  ] as const)
    it(`${name} is rejected`, () =>
      assert.throws(
        () => resolveWindow(query, rules, yesterday),
        (error) =>
          error instanceof ApiError &&
          error.code === code &&
          (code === 'date_range_too_large') === (error.details.errors === undefined),
      ));

  it('counts days, not hours: leap days and lengths of years do not shift it', () => {
    assert.deepEqual(resolveWindow({ to: '2024-03-30' }, rules, yesterday).from, '2024-02-29');
    assert.deepEqual(resolveWindow({ to: '2100-03-30' }, rules, yesterday).from, '2100-02-28');
  });

  it('keeps the defaults of ends that a walk did not specify', () => {
    const earlier = {
      window: { from: '2026-02-06', to: '2026-03-08' },
      defaulted: { from: true, to: true },
    };
    assert.deepEqual(resolveWindow({}, rules, yesterday, earlier), earlier.window);
    const begun = { ...earlier, defaulted: { from: false, to: true } };
    assert.deepEqual(
      resolveWindow({ from: '2025-12-07' }, rules, yesterday, {
        ...begun,
        window: { from: '2025-12-07', to: '2026-03-08' },
      }),
      { from: '2025-12-07', to: '2026-03-08' },
    );
  });

  it('is served up to yesterday, and is empty when it begins later', () => {
    assert.deepEqual(servedPart({ from: '2026-03-01', to: '2026-03-31' }, yesterday), {
      from: '2026-03-01',
      to: yesterday,
    });
    const { from, to } = servedPart({ from: '2026-03-10', to: '2026-03-31' }, yesterday);
    assert.ok(from > to);
  });
});
