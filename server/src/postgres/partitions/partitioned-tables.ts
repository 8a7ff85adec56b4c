/** A table that is partitioned by ranges of an id. */
export interface PartitionedTable {
  readonly table: string;
  /** The sequence that draws the ids. */
  readonly sequence: string;
}

/** The partitioned tables of the main database. A test compares this list with the schema. */
export const partitionedTables = [
  { table: 'audit_entries', sequence: 'audit_entries_id_seq' },
] as const satisfies readonly PartitionedTable[];

export type PartitionedTableName = (typeof partitionedTables)[number]['table'];

/**
 * The least size that a partition is planned for, with its indexes. A table of up to half of this has one partition, and its
 * statements cost as much as without partitions [D198].
 */
export const leastPartitionBytes = 4 * 1024 ** 3;
