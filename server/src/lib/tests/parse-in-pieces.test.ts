// processes: changes megabytes of JSON at random
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseInPieces, TooManyValuesError } from '../parse-in-pieces.ts';

const noPause = async () => {};
const blank = ' \t\r\n'.repeat(10_000);
const filler = (length: number) =>
  Array.from({ length }, (_, i) => `{"k${i}":[${i},"],}\\"${i}"]}`).join(',');

/** Returns the value, or the word "refused". */
async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() };
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'refused';
  }
}

async function assertSame(text: string): Promise<void> {
  assert.deepEqual(
    await outcome(() => parseInPieces(text, noPause)),
    await outcome(() => JSON.parse(text)),
    text.slice(0, 200),
  );
}

// [D292]
describe('JSON that is parsed in pieces', () => {
  it('has the value that JSON.parse returns, in all shapes', async () => {
    const nested = (open: string, close: string, depth: number) =>
      `${open.repeat(depth)}1${close.repeat(depth)}`;
    for (const text of [
      '1',
      ' {"a":1} ',
      'null',
      '"x"',
      '[]',
      `[${filler(20_000)}]`,
      `{"a":[${filler(9_000)}],"b":{"c":[${filler(9_000)}],"d":1},"a":2,"e":[{}]}`,
      `{"a":1,"a":[${filler(9_000)}]}`,
      `{"__proto__":[${filler(9_000)}],"x":{"__proto__":{"y":[${filler(9_000)}]}}}`,
      `{${Array.from({ length: 50_000 }, (_, i) => `"k${i % 40_000}": ${i}`).join(' ,\n')}}`,
      `{"":{"":[${filler(9_000)}],"":3}}`,
      nested(`[${' '.repeat(300)}`, ']', 400),
      nested(`{"a":${' '.repeat(300)}`, '}', 400),
      `[${filler(5_000)},[[[[${filler(5_000)}],1],2 ] , 3]]`,
      `"${'x'.repeat(100_000)}\\\\\\""`,
      `${blank}[${blank}1${blank},${blank}{${blank}"a"${blank}:${blank}[]${blank}}${blank}]${blank}`,
    ])
      await assertSame(text);
  });

  it('keeps what is nested as deep as it is long', async () => {
    const depth = 200_000;
    let value = await parseInPieces(`${'['.repeat(depth)}${']'.repeat(depth)}`, noPause);
    let levels = 0;
    for (; Array.isArray(value); value = value[0]) levels += 1;
    assert.equal(levels, depth);
  });

  it('is refused where JSON.parse refuses it', async () => {
    const long = filler(5_000);
    for (const text of [
      '',
      ' ',
      '1,2',
      '[1,2',
      ']',
      '[1]]',
      '{"a"}',
      `[${long},]`,
      `[${long},,1]`,
      `[,${long}]`,
      `[${long}}`,
      `{"a":[${long}]`,
      `{"a":[${long}],}`,
      `{"a":[${long}] "b":1}`,
      `[[${long}]1]`,
      `[[${long}] ,]`,
      `{"a":[${long}],1}`,
      `[${long}] x`,
      `[${long}],`,
      `{${long}}`,
      `["${'x'.repeat(100_000)}`,
      `[${long},"a\nb"]`,
      `[${long},\u0001]`,
      `[${long},\u00a01]`,
    ]) {
      assert.throws(() => JSON.parse(text), SyntaxError, text.slice(0, 80));
      await assertSame(text);
    }
  });

  it('never differs, regardless of what is changed in it', async () => {
    const sources = [
      `{"a":[${filler(2_500)}],"b":[[${filler(2_500)}],{"c":[${filler(2_500)}]}]}`,
      `[[[${filler(4_000)}]],{"x":{"y":[${filler(4_000)}]}}]`,
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...'[]{},:"\\ 1x')), {
          maxLength: 3,
        }),
        async (source, changes) => {
          let text = source;
          for (const [place, character] of changes) {
            const at = Math.floor(place * text.length);
            text = text.slice(0, at) + character + text.slice(at + 1);
          }
          await assertSame(text);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('has at most so many values', async () => {
    const text = `[[${filler(9_000)}] , [${filler(9_000)}]]`;
    // Three arrays, and for each item an object, an array and its two members.
    const values = 3 + 18_000 * 4;
    assert.deepEqual(await parseInPieces(text, noPause, values), JSON.parse(text));
    await assert.rejects(parseInPieces(text, noPause, values - 1), TooManyValuesError);
  });

  it('leaves the event loop free', async () => {
    const text = `[${Array.from({ length: 200_000 }, (_, i) => `{"k${i}":1}`).join(',')}]`;
    let pauses = 0;
    await parseInPieces(text, async () => {
      pauses += 1;
    });
    assert.ok(pauses >= 5, `${pauses} pauses`);
  });
});
