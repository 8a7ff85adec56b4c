import assert from 'node:assert/strict';
import type { TestDatabase } from '../../../../test/support/test-database.ts';
import { keepPartitions } from '../keep-partitions.ts';
import { type PartitionedTableName, partitionedTables } from '../partitioned-tables.ts';

type Tables = Pick<TestDatabase, 'database' | 'sql'>;

export interface FoundPartition {
  readonly name: string;
  readonly begins_at: number | null;
  readonly ends_before: number | null;
}

export function partitionsOf({ sql }: Tables, table: PartitionedTableName): Promise<FoundPartition[]> {
  return sql(
    `select name, begins_at, ends_before from table_partitions where table_name = $1 order by begins_at nulls first`,
    [table],
  );
}

/** Moves the sequence of a table's ids to the end of the last partition but one, so that new ids are in the last one. */
export async function useLastPartition(tables: Tables, table: PartitionedTableName): Promise<void> {
  const begin = (await partitionsOf(tables, table)).at(-1)?.begins_at;
  const { sequence } = partitionedTables.find(
    (one) => one.table === table,
  ) as (typeof partitionedTables)[number];
  await tables.sql('select setval($1, $2, false)', [sequence, begin]);
}

/** Ends the last partition of every table that has rows in it, regardless of its size, and uses the next one of `table`. */
export async function endPartition(tables: Tables, table: PartitionedTableName): Promise<void> {
  await keepPartitions(tables.database, { leastBytes: 1 });
  const last = (await partitionsOf(tables, table)).at(-1) as FoundPartition;
  assert.deepEqual(await tables.sql(`select 1 from ${last.name} limit 1`), []);
  await useLastPartition(tables, table);
}
