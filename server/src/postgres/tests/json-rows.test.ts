import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import {
  column,
  epochMs,
  epochMsOrInfinity,
  exact,
  type JsonRowsValue,
  jsonRows,
  type RowOf,
} from '../json-rows.ts';

const { sql } = await createTestDatabase();

const rowColumns = {
  id: column<number>('t.id'),
  note: column<string | null>('t.note'),
  title: column<string>('t.title'),
  price: column<number>('t.price'),
  least: column<number | null>('t.least'),
  sum: exact('t.sum'),
  isActive: column<boolean>('t.is_active'),
  at: epochMs('t.at'),
  day: column<string>('t.day'),
  freshAt: epochMsOrInfinity('t.fresh_at'),
  map: column<unknown>('t.map'),
  list: column<unknown>('t.list'),
};
const rows = jsonRows(rowColumns);

type Row = Omit<RowOf<typeof rowColumns>, 'freshAt'> & { readonly freshAt: number | null };

/** Sends the rows to PostgreSQL, has them written as JSON there, and reads them: all of them, and the first one alone. */
async function roundTrip(sent: readonly Row[]): Promise<Row[]> {
  const table = `(
    select row_number() over () as n, r.*,
      case when r.fresh = 'Infinity' then timestamptz 'infinity' else to_timestamp(r.fresh / 1000)::timestamptz(3) end
        as fresh_at,
      to_timestamp(r.ms / 1000)::timestamptz(3) as at
    from json_to_recordset($1) as r (id bigint, note text, title text, price numeric(15, 4), least numeric(15, 4), sum numeric,
      is_active boolean, day date, ms float, fresh float, map jsonb, list jsonb)
  ) as t`;
  const [answer] = await sql<{ all: JsonRowsValue; first: readonly unknown[] | null }>(
    `select ${rows.aggregate(`select ${rows.columns} from ${table} order by t.n`)} as all,
       (select ${rows.one} from ${table} where t.n = 1) as first`,
    [
      JSON.stringify(
        sent.map(({ at, freshAt, isActive, ...row }) => ({
          ...row,
          is_active: isActive,
          ms: at,
          fresh: freshAt === Infinity ? 'Infinity' : freshAt,
        })),
      ),
    ],
  );
  const numbered = ({ freshAt, ...row }: RowOf<typeof rowColumns>): Row => ({
    ...row,
    freshAt: freshAt === null ? null : Number(freshAt),
  });
  const read = rows.read(answer?.all ?? []).map(numbered);
  if (answer?.first != null) assert.deepEqual(numbered(rows.readOne(answer.first)), read[0]);
  return read;
}

const plain: Row = {
  id: 1,
  note: null,
  title: 'A',
  price: 19.9,
  least: null,
  sum: '0',
  isActive: true,
  at: Date.UTC(2026, 2, 1, 8, 30, 0, 7),
  day: '2026-03-01',
  freshAt: null,
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
    title: text,
    price,
    least: fc.option(price),
    sum: fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
    isActive: fc.boolean(),
    at: instant,
    day: instant.map((ms) => new Date(ms).toISOString().slice(0, 10)),
    freshAt: fc.option(fc.oneof(instant, fc.constant(Infinity))),
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

describe('JSON rows', () => {
  it('are read as they were stored, any value next to any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), async (sent) => {
        assert.deepEqual(await roundTrip(sent), sent);
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
    const sent = titles.flatMap((title, n) =>
      titles.map((note) => ({ ...plain, id: n, title, note, map: { [title]: note }, list: [title, note] })),
    );
    assert.deepEqual(await roundTrip(sent), sent);
  });

  it('have numbers at their limits', async () => {
    const numbers = [0, 1, -1, 2 ** 53 - 1, -(2 ** 53 - 1)];
    const prices = [0, 0.0001, 0.1, 99_999_999_999.9999, 1, 10, 100_000];
    const sent = [
      ...numbers.map((id) => ({ ...plain, id })),
      ...prices.flatMap((price) => prices.map((least) => ({ ...plain, price, least }))),
      ...[true, false].map((isActive) => ({ ...plain, isActive })),
      ...['0.1', '12345678901234567890.12345678901234567890'].map((sum) => ({ ...plain, sum })),
    ];
    assert.deepEqual(await roundTrip(sent), sent);
  });

  it('have every millisecond, before 1970 too', async () => {
    const instants = [0, 1, -1, 999, -999, 1_772_353_800_001, -62_135_596_800_000, 253_402_300_799_999];
    const some = Array.from({ length: 1_000 }, (_, n) => 1_772_353_800_000 + n * 1_001);
    const sent = [...instants, ...some].map((at) => ({ ...plain, at, freshAt: at }));
    const endless = { ...plain, freshAt: Infinity };
    assert.deepEqual(await roundTrip([...sent, endless]), [...sent, endless]);
  });

  it('have the same days under any settings of the database', async () => {
    await sql(`set datestyle = 'German'`);
    const days = ['0001-01-01', '1969-12-31', '2026-03-01'].map((day) => ({ ...plain, day }));
    assert.deepEqual(await roundTrip(days), days);
  });

  it('are none when there are none', async () => {
    assert.deepEqual(await roundTrip([]), []);
  });
});
