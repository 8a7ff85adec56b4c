import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ChunkSize } from '../apply-feeds.ts';

it('a chunk gets the lines that hold the lock for 20 ms, from 50 to 1,000', () => {
  const size = new ChunkSize();
  size.note(size.lines, 40);
  assert.equal(size.lines, 100);
  size.note(100, 1_000);
  assert.equal(size.lines, 50);
  for (const lines of [100, 200, 400, 800, 1_000, 1_000]) {
    size.note(size.lines, 1);
    assert.equal(size.lines, lines, 'doubles at most');
  }
});

it('the end of a feed makes chunks smaller, and never larger', () => {
  const size = new ChunkSize();
  const { lines } = size;
  size.note(1, 0.1);
  assert.equal(size.lines, lines);
  size.note(lines / 2, 40);
  assert.equal(size.lines, lines / 4);
});
