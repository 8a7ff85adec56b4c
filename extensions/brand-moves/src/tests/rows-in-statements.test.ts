import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { it } from 'node:test';
import pg from 'pg';
import { sqlState } from '../../../../server/src/postgres/sqlstate.ts';
import { createTestDatabase } from '../../../../server/test/support/test-database.ts';
import { RowsInStatements } from '../fill-tables.ts';

const { address, sql } = await createTestDatabase();
const table = {
  schema: 'public',
  name: 'write_probe',
  columns: ['filler'],
  member: 'x',
  rows: 0,
  bytes: 0,
  sha256: '',
};

/** Sends lines in chunks that do not end where lines end; returns the number of rows that arrived. */
async function send(lines: readonly string[], chunkBytes: number, limit: number): Promise<number> {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const chunks = Array.from({ length: Math.ceil(text.length / chunkBytes) }, (_, at) =>
    text.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  const client = new pg.Client(address);
  await client.connect();
  try {
    const target = new RowsInStatements(client, table, limit);
    await pipeline(Readable.from(chunks, { objectMode: false }), target);
    return target.rowCount;
  } finally {
    await client.end();
  }
}

// [D203]
it('rows arrive once, however chunks and statements divide them', async () => {
  const lines = Array.from({ length: 3_000 }, (_, at) => `${at} ${'ü'.repeat(at % 40)}`);
  for (const [chunkBytes, limit] of [
    [1_000, 5_000],
    [7, 100],
    [100_000, 10],
    [64, 1],
    [1_000, 1_000_000],
  ] as const) {
    await sql('truncate write_probe');
    assert.equal(await send(lines, chunkBytes, limit), lines.length);
    const [row] = await sql<{ rows: string[]; statements: number }>(
      `select array_agg(filler order by split_part(filler, ' ', 1)::integer) as rows,
         count(distinct xmin::text)::integer as statements from write_probe`,
    );
    assert.deepEqual(row?.rows, lines);
    // Outside of a transaction each statement has its own.
    const statements = row?.statements ?? 0;
    assert.ok(
      limit === 1_000_000 ? statements === 1 : statements > 10 || chunkBytes === 100_000,
      `${statements}`,
    );
  }
  assert.equal(await send([], 10, 10), 0);
});

it('a row that PostgreSQL refuses fails the stream', async () => {
  for (const limit of [1, 1_000_000])
    await assert.rejects(send(['good', '\\N', ...Array(500).fill('good')], 50, limit), (error: Error) => {
      assert.equal(sqlState(error), '23502');
      return true;
    });
});
