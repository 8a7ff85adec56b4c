import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLongComments, findProseProblems, findResidue } from '../prose.ts';

const found = (text: string) => findProseProblems(text).map(({ line, found }) => `${line} ${found}`);

describe('the check of the prose', () => {
  it('finds a banned wording with its line, and suggests another', () => {
    const [problem, ...more] = findProseProblems('const a = 1;\n// Computed anew for each page.\n');
    assert.deepEqual(more, []);
    assert.equal(problem?.line, 2);
    assert.equal(problem?.found, 'anew');
    assert.match(problem?.say ?? '', /again/);
  });

  it('finds it in strings, SQL comments, Markdown, and in capitals', () => {
    assert.deepEqual(found("log('the store is away');"), ['1 is away']);
    assert.deepEqual(found('select 1 -- Whatever it is\n'), ['1 Whatever']);
    assert.deepEqual(found('# Title\n\nEach is told.\n'), ['3 is told']);
  });

  it('finds it across the lines of a comment, string or paragraph', () => {
    assert.deepEqual(found('/**\n * The client is\n * told.\n */'), ['2 is * told']);
    assert.deepEqual(found('// A sum that it works\n  // out again.'), ['1 works // out']);
    assert.deepEqual(found('-- gives\n-- way'), ['1 gives -- way']);
    assert.deepEqual(found('The client is\ntold.\n'), ['1 is told']);
  });

  it('finds doc comments that begin without a subject or verb', () => {
    assert.deepEqual(found('/** Of the whole token. */'), ['1 /** Of']);
    assert.deepEqual(found('  /**\n   * What the key may do.\n   */'), ['1 /** * What']);
    assert.deepEqual(found('/** Whether the key works. */'), ['1 /** Whether']);
    assert.deepEqual(found('/** Returns whether the key works. */\n/** Often empty. */'), []);
  });

  it('finds what some folders still have', () => {
    const left = (text: string) => findResidue(text).map(({ found }) => found);
    assert.deepEqual(left('// A set of its own.\n// Sent in place of it, by the version before'), [
      'of its own',
      'in place of',
      'the version before',
    ]);
    assert.deepEqual(left('/** With a process of their\n * own that ends. */'), ['of their * own']);
    assert.deepEqual(left('// The row of its own key, and its own set.'), []);
  });

  it('lists problems by line', () => {
    assert.deepEqual(found('// at the most\n// anew\n// for good'), [
      '1 at the most',
      '2 anew',
      '3 for good',
    ]);
  });

  it('ignores identifiers, file names and longer words', () => {
    const code =
      "import { giveWay } from './gives-way.ts';\nworksOut(renewed, besides);\n// a context, a textbook\n";
    assert.deepEqual(found(code), []);
  });
});

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
