import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textTable } from '../src/output/text-table.ts';

describe('a table of the command line', () => {
  it('lines up wide characters, and the lines of a cell', () => {
    const rows = [
      ['1', '茶 tea', 'red, blue,\ngreen'],
      ['22', '☕', ''],
    ];
    const text = 'n   name    colors\n1   茶 tea  red, blue,\n            green\n22  ☕\n';
    assert.equal(textTable(['n', 'name', 'colors'], rows, { isBold: false }), text);
    const head = textTable(['n'], [], { isBold: true });
    assert.equal(head, '\u001b[1mn\u001b[22m\n');
  });

  it('has the failed lines of the largest feed, in time that grows with their number', () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => [`${n}`, `SKU-${n}`, 'unknown_sku']);
    const lines = textTable(['line', 'sku', 'result'], rows, { isBold: false }).split('\n');
    assert.deepEqual([lines.length, lines[1]], [100_002, '0      SKU-0      unknown_sku']);
  });
});
