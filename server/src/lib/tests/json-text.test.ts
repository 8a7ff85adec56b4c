// processes: writes megabytes of JSON in all shapes
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { jsonText } from '../json-text.ts';

const large = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ [`k"${i}`]: ['ä\u2028😀', i, null, true, {}, []], no: undefined }));

// [platform-97]
describe('a JSON text that is made in pieces', () => {
  it('is the one that JSON.stringify makes', async () => {
    for (const value of [
      {},
      [],
      { data: large(30_000), meta: { total: 1 } },
      { a: { b: { c: large(30_000) } }, d: undefined, e: [undefined, large(2), 'x'.repeat(2_000_000)] },
      large(30_000),
      { data: Array.from({ length: 3 }, () => ({ versions: { en: { title: 'é'.repeat(600_000) } } })) },
      [[], {}, 'x'.repeat(2_000_000), [], {}],
    ])
      assert.equal(await jsonText(value, async () => {}), JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = { rows: large(20_000), value };
        assert.equal(await jsonText(text, async () => {}), JSON.stringify(text));
      }),
      { numRuns: 10 },
    );
  });

  it('waits for its turn if it is not small, and pauses for others if it is large', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    await jsonText({ data: large(200) }, pause);
    assert.equal(pauses, 0);
    await jsonText({ data: large(5_000) }, pause);
    assert.equal(pauses, 1);
    await jsonText({ data: large(200_000) }, pause);
    assert.ok(pauses > 3, `${pauses} pauses`);
  });
});
