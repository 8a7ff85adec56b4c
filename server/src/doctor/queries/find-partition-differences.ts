import type { Database } from '../../postgres/database.ts';
import { leastPartitionBytes, partitionedTables } from '../../postgres/partitions/partitioned-tables.ts';
import { statement } from '../../postgres/statement.ts';
import type { DifferenceRow } from '../check.ts';

/** Ids that are left before an announced end when it counts as forgotten; the upkeep makes one long before. */
const fewIds = 1_000;

/**
 * Compares the ranges of partitions: no gap, nothing before the first or after the last, no end that was announced and never
 * made, and no last partition that outgrew its size because the upkeep does not run. They belong to no brand, and are
 * reported once, with the newest one. Reads the catalog of PostgreSQL only.
 */
export async function findPartitionDifferences(
  database: Database,
  brandId: number,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'partition_differences',
      `with ranges as (
         select p.table_name, p.name, p.begins_at, p.ends_before, p.announced_end, b.bytes, q.last_value as used,
           lag(p.ends_before) over along as previous_end, lead(p.name) over along as next,
           greatest($4, sum(b.bytes) over (partition by p.table_name) / 16) as most_bytes
         from table_partitions p
         join unnest($2::text[], $3::text[]) as s (table_name, sequence) on s.table_name = p.table_name
         join pg_sequences q on q.schemaname = 'public' and q.sequencename = s.sequence
         cross join lateral (select pg_total_relation_size(p.partition_oid) as bytes) as b
         window along as (partition by p.table_name order by p.begins_at nulls first)
       )
       select r.name as key, r.name as id, d.field, d.stored, d.actual, d.is_repairable
       from ranges r
       cross join lateral (
         select 'begins_at' as field, r.begins_at::text as stored, r.previous_end::text as actual, false as is_repairable
         where r.begins_at is distinct from r.previous_end
         union all
         select 'ends_before', r.ends_before::text, null, false
         where r.next is null and r.ends_before is not null
         union all
         select 'announced_end', r.announced_end::text, null, true
         where r.ends_before is null and r.announced_end <= r.used + ${fewIds}
         union all
         select 'bytes', r.bytes::text, round(r.most_bytes) || ' at most, then a next partition', false
         where r.next is null and r.bytes > r.most_bytes
       ) as d
       where $1 = (select max(b.id) from brands b)
       order by r.name, d.field`,
      [
        brandId,
        partitionedTables.map(({ table }) => table),
        partitionedTables.map(({ sequence }) => sequence),
        leastPartitionBytes,
      ],
      { long: true },
    ),
  );
}
