import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderObjects } from '../schema-files.ts';

const files = (sql: Record<string, string>) =>
  Object.entries(sql).map(([name, text]) => ({ name, sql: text, checksum: '' }));
const namesOf = (sql: Record<string, string>) => orderObjects(files(sql)).map(({ name }) => name);

describe('the order of views and routines', () => {
  it('puts each after the ones that it names, and keeps the rest', () => {
    assert.deepEqual(
      namesOf({
        'views/a': 'from the_last',
        'views/b': 'from x',
        'routines/the-last': '',
        'views/c': 'from b, a',
      }),
      ['routines/the-last', 'views/a', 'views/b', 'views/c'],
    );
  });

  it('does not read comments, or parts of words', () => {
    assert.deepEqual(namesOf({ 'views/a': 'from bb -- b', 'views/b': '' }), ['views/a', 'views/b']);
  });

  it('refuses a circle, and shows it', () => {
    assert.throws(
      () => namesOf({ 'views/a': 'b', 'views/b': 'c', 'views/c': 'a' }),
      /views\/a -> views\/b -> views\/c -> views\/a/,
    );
  });
});
