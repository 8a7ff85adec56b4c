import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pageMeta, pageOf } from '../pagination.ts';

describe('a page', () => {
  // [platform-42]
  it('is the first one of 50 rows unless it is asked for differently', () => {
    assert.deepEqual(pageOf({}), { number: 1, size: 50, offset: 0 });
  });

  // [platform-43]
  it('has at most 200 rows, and is not refused for asking for more', () => {
    assert.equal(pageOf({ per_page: 200 }).size, 200);
    assert.equal(pageOf({ per_page: 201 }).size, 200);
    assert.equal(pageOf({ per_page: Number.MAX_SAFE_INTEGER }).size, 200);
    assert.deepEqual(pageOf({ page: 3, per_page: 1000 }), { number: 3, size: 200, offset: 400 });
  });

  it('takes the sizes of another list where that has its own', () => {
    const sizes = { default: 100, max: 500 };
    assert.equal(pageOf({}, sizes).size, 100);
    assert.equal(pageOf({ per_page: 501 }, sizes).size, 500);
  });

  it('that is far beyond every list starts at an offset that a database can count', () => {
    assert.equal(pageOf({ page: Number.MAX_SAFE_INTEGER }).offset, Number.MAX_SAFE_INTEGER);
  });

  it('follows the one before it without a gap or an overlap', () => {
    const page = fc.integer({ min: 1, max: 100_000 });
    const size = fc.integer({ min: 1, max: 500 });
    fc.assert(
      fc.property(page, size, (number, perPage) => {
        const here = pageOf({ page: number, per_page: perPage });
        const next = pageOf({ page: number + 1, per_page: perPage });
        assert.equal(here.offset + here.size, next.offset);
      }),
    );
  });
});

describe('the meta of a list', () => {
  const meta = (total: number, size: number) => pageMeta(pageOf({ per_page: size }), total);

  it('says 1 for the last page of an empty list', () => {
    assert.deepEqual(meta(0, 50), { current_page: 1, per_page: 50, total: 0, last_page: 1 });
  });

  it('counts a page that is not full', () => {
    assert.deepEqual(
      [1, 49, 50, 51, 100, 101].map((total) => meta(total, 50).last_page),
      [1, 1, 1, 2, 2, 3],
    );
  });

  it('shows the size that was used, not the one that was asked for', () => {
    assert.equal(meta(0, 5000).per_page, 200);
  });
});
