import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ndjsonLines } from '../event-bodies.ts';

async function linesOf(chunks: Iterable<string | Buffer>, maxLineBytes?: number) {
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: [number, string | null][] = [];
  for await (const { index, bytes } of ndjsonLines(source(), maxLineBytes))
    lines.push([index, bytes === null ? null : bytes.toString('utf8')]);
  return lines;
}

test('the lines do not depend on how the stream is divided into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ' ') })),
      fc.array(fc.nat(40)),
      async (texts, cuts) => {
        const bytes = Buffer.from(texts.join('\n'));
        const chunks: Buffer[] = [];
        let rest = bytes;
        for (const cut of cuts) {
          chunks.push(rest.subarray(0, cut));
          rest = rest.subarray(cut);
        }
        const expected = texts.flatMap((text, index) => (text === '' ? [] : [[index, text]]));
        assert.deepEqual(await linesOf([...chunks, rest]), expected);
      },
    ),
  );
});

test('blank lines and carriage returns are skipped, and blank lines count in the index', async () => {
  assert.deepEqual(await linesOf(['\r\n{"a":1}\r\n\n\n{"b":2}']), [
    [1, '{"a":1}'],
    [4, '{"b":2}'],
  ]);
});

// [platform-22]
test('a byte order mark at the start is no part of the first line, however it arrives', async () => {
  const mark = Buffer.from('\ufeff');
  const sent = [mark, ...Array.from(mark, (byte) => Buffer.from([byte]))];
  assert.deepEqual(await linesOf([mark, '{"a":1}\n{"b":2}']), [
    [0, '{"a":1}'],
    [1, '{"b":2}'],
  ]);
  assert.deepEqual(await linesOf([...sent.slice(1), '\r\n{"b":2}']), [[1, '{"b":2}']]);
  assert.deepEqual(await linesOf([mark]), []);
  assert.deepEqual(await linesOf([mark, '12345678\n', mark, '123456'], 8), [
    [0, '12345678'],
    [1, null],
  ]);
  assert.deepEqual(await linesOf([mark, '123456789\n'], 8), [[0, null]]);
  assert.deepEqual(await linesOf(['123456789\n'], 8), [[0, null]]);
});

test('a line that is too long is reported and not kept in memory', async () => {
  assert.deepEqual(await linesOf(['aaaa', 'aaaa', 'aaa\nbb\n', 'cccccccccc\nd'], 8), [
    [0, null],
    [1, 'bb'],
    [2, null],
    [3, 'd'],
  ]);
});

test('the stream is read no further than the lines that were consumed', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield Buffer.from('{}\n{}\n');
    }
  }
  for await (const { index } of ndjsonLines(endless())) if (index === 5) break;
  assert.equal(read, 3);
});
