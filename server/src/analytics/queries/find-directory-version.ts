import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/**
 * Returns the version of what analytics rows show of a brand's directory: which learners and contents are listed, and
 * the names of contents. Read it before the rows of the directory, or in the same statement. The transaction that wrote
 * it, the start of the server and the path of the table distinguish versions that repeat after a restore [D54].
 */
export async function findDirectoryVersion(database: Queryable, brandId: number): Promise<string> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_directory_version',
      `select concat_ws('/', coalesce(v.version, 0), v.xmin::text, extract(epoch from pg_postmaster_start_time()),
         pg_relation_filepath('directory_versions')) as version
       from (select 1) as one
       left join directory_versions v on v.brand_id = $1`,
      [brandId],
    ),
  );
  return (rows[0] as { version: string }).version;
}
