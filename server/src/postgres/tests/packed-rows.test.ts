import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { packed, packRows, valueAt } from '../packed-rows.ts';

const { sql } = await createTestDatabase();

const packing = packRows({
  id: packed.number('t.id'),
  note: packed.textOrNull('t.note'),
  code: packed.code('t.code'),
  maybeCode: packed.codeOrNull('t.maybe_code'),
  title: packed.text('t.title'),
  price: packed.number('t.price'),
  least: packed.numberOrNull('t.least'),
  isActive: packed.boolean('t.is_active'),
  at: packed.instant('t.at'),
  day: packed.date('t.day'),
  freshAt: packed.instantOrNull('t.fresh_at'),
  map: packed.json<Record<string, unknown>>('t.map'),
  list: packed.json<unknown[]>('t.list'),
});
const { at } = packing;

interface Row {
  readonly id: number;
  readonly note: string | null;
  readonly code: string;
  readonly maybe_code: string | null;
  readonly title: string;
  readonly price: number;
  readonly least: number | null;
  readonly is_active: boolean;
  readonly at: number;
  readonly day: string;
  readonly fresh_at: number | null;
  readonly map: unknown;
  readonly list: unknown;
}

/** Sends the rows to PostgreSQL, has them packed there, and reads them. */
async function roundTrip(rows: readonly Row[]): Promise<Row[]> {
  const [answer] = await sql<{ packed: string }>(
    `select ${packing.aggregate(`
       select ${packing.sql} as packed, t.n
       from (
         select row_number() over () as n, r.*,
           case when r.fresh = 'Infinity' then timestamptz 'infinity' else to_timestamp(r.fresh / 1000)::timestamptz(3) end as fresh_at,
           to_timestamp(r.ms / 1000)::timestamptz(3) as at
         from json_to_recordset($1) as r (id bigint, note text, code text, maybe_code text, title text,
           price numeric(15, 4), least numeric(15, 4), is_active boolean, day date, ms float, fresh float, map jsonb, list jsonb)
       ) as t`)} as packed`,
    [
      JSON.stringify(
        rows.map(({ at, fresh_at, ...row }) => ({
          ...row,
          ms: at,
          fresh: fresh_at === Infinity ? 'Infinity' : fresh_at,
        })),
      ),
    ],
  );
  return packing.unpack(answer?.packed ?? '').map((row) => ({
    id: valueAt(row, at.id),
    note: valueAt(row, at.note),
    code: valueAt(row, at.code),
    maybe_code: valueAt(row, at.maybeCode),
    title: valueAt(row, at.title),
    price: valueAt(row, at.price),
    least: valueAt(row, at.least),
    is_active: valueAt(row, at.isActive),
    at: valueAt(row, at.at),
    day: valueAt(row, at.day),
    fresh_at: valueAt(row, at.freshAt),
    map: valueAt(row, at.map),
    list: valueAt(row, at.list),
  }));
}

const plain: Row = {
  id: 1,
  note: null,
  code: 'EUR',
  maybe_code: null,
  title: 'A',
  price: 19.9,
  least: null,
  is_active: true,
  at: Date.UTC(2026, 2, 1, 8, 30, 0, 7),
  day: '2026-03-01',
  fresh_at: null,
  map: {},
  list: [],
};

// PostgreSQL stores every string without U+0000 and lone surrogates.
const text = anyText({ maxLength: 20 }).map((value) => value.replaceAll('\0', ''));
const price = fc.integer({ min: 0, max: 999_999_999_999_999 }).map((value) => value / 10_000);
// Years 1 to 9999.
const instant = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
const row: fc.Arbitrary<Row> = fc.record(
  {
    id: fc.maxSafeInteger(),
    note: fc.option(text),
    code: fc.stringMatching(/^[ -+\--~]{1,8}$/),
    maybe_code: fc.option(fc.stringMatching(/^[A-Za-z0-9_-]{1,21}$/)),
    title: text,
    price,
    least: fc.option(price),
    is_active: fc.boolean(),
    at: instant,
    day: instant.map((ms) => new Date(ms).toISOString().slice(0, 10)),
    fresh_at: fc.option(fc.oneof(instant, fc.constant(Infinity))),
    // Node 24.21's JSON.parse can read a key of one escaped character, such as "\u0001", as a backslash.
    map: fc.dictionary(
      text.filter((key) => key.length !== 1),
      text,
      { noNullPrototype: true },
    ),
    list: fc.array(fc.oneof(text, fc.integer(), fc.constant(null))),
  },
  { noNullPrototype: true },
);

describe('packed rows', () => {
  it('are read as they were stored, any value next to any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), async (rows) => {
        assert.deepEqual(await roundTrip(rows), rows);
      }),
      { numRuns: 150 },
    );
  });

  it('may contain separators, quotes, line feeds and characters of two code units', async () => {
    const titles = [
      '',
      ',',
      '\n',
      '"\\',
      '1,2,3,',
      '😀',
      'a😀b',
      '😀'.repeat(50),
      '\u2028',
      '\uffff',
      'é',
      ' ',
    ];
    const rows = titles.flatMap((title, n) =>
      titles.map((note) => ({ ...plain, id: n, title, note, map: { [title]: note }, list: [title, note] })),
    );
    assert.deepEqual(await roundTrip(rows), rows);
  });

  it('have numbers at their limits', async () => {
    const numbers = [0, 1, -1, 2 ** 53 - 1, -(2 ** 53 - 1)];
    const prices = [0, 0.0001, 0.1, 99_999_999_999.9999, 1, 10, 100_000];
    const rows = [
      ...numbers.map((id) => ({ ...plain, id })),
      ...prices.flatMap((price) => prices.map((least) => ({ ...plain, price, least }))),
      ...[true, false].map((is_active) => ({ ...plain, is_active })),
    ];
    assert.deepEqual(await roundTrip(rows), rows);
  });

  it('have every millisecond, before 1970 too', async () => {
    const instants = [0, 1, -1, 999, -999, 1_772_353_800_001, -62_135_596_800_000, 253_402_300_799_999];
    const some = Array.from({ length: 1_000 }, (_, n) => 1_772_353_800_000 + n * 1_001);
    const rows = [...instants, ...some].map((at) => ({ ...plain, at, fresh_at: at }));
    assert.deepEqual(await roundTrip([...rows, { ...plain, fresh_at: Infinity }]), [
      ...rows,
      { ...plain, fresh_at: Infinity },
    ]);
  });

  it('are none when there are none', async () => {
    assert.deepEqual(await roundTrip([]), []);
  });
});

test('a packing without texts and JSON has numbers only', async () => {
  const numbers = packRows({ a: packed.number('1'), b: packed.numberOrNull('null::integer') });
  const [answer] = await sql<{ packed: string }>(`select ${numbers.sql} as packed`);
  assert.deepEqual(numbers.unpack(answer?.packed ?? ''), [[1, null]]);
});
