import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvRow } from '../csv-row.ts';

describe('a row of CSV', () => {
  it('has its cells in order, with nothing for null', () => {
    assert.equal(csvRow(['A-1', 7, null, true, '']), 'A-1,7,,true,\n');
  });

  it('quotes what would end a cell or a row', () => {
    assert.equal(
      csvRow(['a,b', 'say "x"', 'two\nlines', 'ret\rurn']),
      '"a,b","say ""x""","two\nlines","ret\rurn"\n',
    );
  });

  it('does not let a spreadsheet run text as a formula', () => {
    assert.equal(
      csvRow(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("x","y")']),
      `'=1+1,'+1,'-1,'@SUM(A1),'\t=1,"'\r=1","'=HYPERLINK(""x"",""y"")"\n`,
    );
    assert.equal(csvRow(['a=1', ' =1', -5]), 'a=1, =1,-5\n');
  });
});
