import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsOf, readCorrections } from '../src/pages/feeds/corrected-lines.ts';

const head = 'number,sku,location_code,quantity';

// [internal-206]
describe('a corrected file', () => {
  it('has each line with the position of the line that it replaces, also next to lines without one', async () => {
    const read = await readCorrections(`${head}\n7,A,L,1\n,B,L,2\n\n3,'=C,L,3\n`);
    assert.deepEqual(
      read.map(({ line, corrects }) => [line.sku, line.quantity, corrects]),
      [
        ['A', 1, 6],
        ['B', 2, null],
        ['=C', 3, 2],
      ],
    );
  });

  it('of the API counts lines from 0, and one without numbers replaces none', async () => {
    assert.deepEqual((await readCorrections('line,sku,location_code,quantity\n0,A,L,1'))[0]?.corrects, 0);
    assert.deepEqual((await readCorrections('sku,location_code,quantity\nA,L,1'))[0]?.corrects, null);
    await assert.rejects(readCorrections(`${head}\nx,A,L,1`), /Line 2 of the CSV: the number is none/);
    await assert.rejects(readCorrections(`${head}\n`), /The file has no lines/);
  });

  it('of 26,018 lines is divided into requests below the limit of 1 MiB, without losing a line', async () => {
    const rows = Array.from({ length: 26_018 }, (_, n) => `${n + 1},SKU-Größe-${n},LAGER-MÜNCHEN,${n}`);
    const corrections = await readCorrections(`${head}\n${rows.join('\n')}`);
    const parts = await partsOf(corrections);
    for (const part of parts) assert.ok(Buffer.byteLength(JSON.stringify(part)) < 1_048_576);
    assert.deepEqual(
      parts.flatMap(({ lines }) => lines),
      corrections.map(({ line }) => line),
    );
    assert.deepEqual(
      parts.flatMap(({ corrects = [] }) => corrects),
      rows.map((_, n) => n),
    );
    assert.ok(parts.length >= 2 && parts.length < 6, String(parts.length));
  });
});
