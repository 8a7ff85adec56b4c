import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { anyText } from '../../server/test/support/any-text.ts';
import { csvLines, csvRecords, isBrandportError } from '../src/index.ts';

async function records(source: Parameters<typeof csvRecords>[0], delimiter = ',') {
  return (await Array.fromAsync(csvRecords(source, delimiter))).map(({ values }) => values);
}

function refuses(source: Parameters<typeof csvRecords>[0], pattern: RegExp) {
  return assert.rejects(records(source), (error) => {
    assert.ok(isBrandportError(error, 'csv_invalid'));
    assert.match(error.message, pattern);
    return true;
  });
}

describe('CSV', () => {
  it('returns what was written, wherever its chunks end', async () => {
    const value = fc.oneof(
      anyText({ maxLength: 6 }),
      fc.stringMatching(/^[",;\r\n a]{0,6}$/),
      fc.constant('👕é"'),
    );
    const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\r\n', '\n', '\r'), fc.nat(7), async (values, end, step) => {
        const text = values
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join(end);
        const bytes = new TextEncoder().encode(text);
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += step + 1) chunks.push(bytes.subarray(at, at + step + 1));
        assert.deepEqual(await records(chunks), values);
      }),
      { numRuns: 50 },
    );
  });

  it('reads plain values as another parser does', async () => {
    const plain = fc.stringMatching(/^[ a-c;,"\r\n]{0,20}$/);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(plain, async (text) => {
        const expected = (() => {
          try {
            return parse(text, {
              relax_column_count: true,
              skip_empty_lines: true,
              record_delimiter: ['\r\n', '\n', '\r'],
            });
          } catch {
            return null;
          }
        })();
        const read = await records(text).catch(() => null);
        if (expected !== null && read !== null) {
          compared += 1;
          assert.deepEqual(read, expected);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(compared > 50, `${compared} texts were accepted by both`);
  });

  it('refuses what it cannot read, with the line', async () => {
    await refuses('a,b\r\n"c,d', /^Line 2 .* no closing quote/);
    await refuses('a\n"b"c', /^Line 2 .* after its closing quote/);
    await refuses('a\n\n\nb"c', /^Line 4 .* quote is inside/);
    await refuses(new Uint8Array([0x61, 0xff]), /not valid UTF-8/);
    await refuses(new Uint8Array([0x61, 0xc3]), /not valid UTF-8/);
    await assert.rejects(records('a', '""'), TypeError);
  });

  it('becomes lines of a feed', async () => {
    const text =
      '\uFEFFlocation_code;Artikel;quantity;reserved;updated_at;extra\r\nhall;"T;1";7;;2026-03-01T08:30:00Z;x\r\nhall;T2;0;2;;\r\n';
    const options = { delimiter: ';', columns: { sku: 'Artikel' } };
    const expected = [
      { sku: 'T;1', location_code: 'hall', quantity: 7, updated_at: '2026-03-01T08:30:00Z' },
      { sku: 'T2', location_code: 'hall', quantity: 0, reserved: 2 },
    ];
    assert.deepEqual(await Array.fromAsync(csvLines(text, options)), expected);
    assert.deepEqual(await Array.fromAsync(csvLines(new TextEncoder().encode(text), options)), expected);
    assert.deepEqual(await Array.fromAsync(csvLines('sku,quantity\nA,1', { locationCode: 'hall' })), [
      { sku: 'A', location_code: 'hall', quantity: 1 },
    ]);
    for (const [bad, pattern, more] of [
      ['sku,quantity\nA,1', /Line 1 .* "location_code" is missing/],
      ['sku,location_code,quantity\nA,h,1.5', /Line 2 .* quantity must be an integer/],
      ['sku,location_code,menge\nA,h,', /Line 2 .* menge is required/, { columns: { quantity: 'menge' } }],
      [
        'sku,location_code,quantity,updated_at\nA,h,1,2026-02-30T10:00:00Z',
        /Line 2 .* updated_at must be a date-time/,
      ],
      ['sku,location_code,quantity\nA,h', /Line 2 .* 2 values, and the first line has 3/],
      ['', /It is empty/],
    ] as [string, RegExp, object?][])
      await assert.rejects(Array.fromAsync(csvLines(bad, more)), pattern);
  });
});
