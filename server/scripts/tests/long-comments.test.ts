import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLongComments } from '../long-comments.ts';

const commentOf = (lines: number, wordsInLine: number, tags = '') =>
  `/**\n${` * ${'word '.repeat(wordsInLine)}\n`.repeat(lines)}${tags} */\n`;
const longIn = (text: string) => findLongComments(text).map(({ line, found }) => `${line} ${found}`);

describe('the check of long comments', () => {
  it('finds a comment of more than 80 words, with its line', () => {
    assert.deepEqual(longIn(`const a = 1;\n\n${commentOf(9, 9)}interface B {}`), ['3 a comment of 81 words']);
    assert.deepEqual(longIn(`${commentOf(8, 10)}interface B {}`), []);
  });

  it('finds a function that is described in more than four lines', () => {
    for (const start of ['function f', 'export async function f', 'export default function f'])
      assert.deepEqual(longIn(`${commentOf(5, 3)}${start}() {}`), ['1 a function’s comment of 5 lines']);
    assert.deepEqual(longIn(`${commentOf(4, 3)}function f() {}`), []);
  });

  it('counts neither tags nor other comments', () => {
    assert.deepEqual(longIn(`${commentOf(4, 3, ' * @param a one\n * @throws Error\n')}function f() {}`), []);
    assert.deepEqual(longIn(`${commentOf(6, 3)}interface B {}`), []);
    assert.deepEqual(longIn(`// ${'word '.repeat(90)}\n/* ${'word '.repeat(90)} */`), []);
  });
});
