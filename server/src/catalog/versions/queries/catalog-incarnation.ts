/**
 * Columns that identify the catalog whose counters a version reads [D54]. A database that is restored to an earlier
 * state reaches the same numbers again through other changes, and so do two copies of one database. An identity that is
 * stored in a row does not help, because a dump contains it. These values differ instead:
 * - the start of the server: after a failover, a restore of a base backup, a point-in-time recovery, or on another
 *   server;
 * - the path of a table's file, which contains the oid of the database and the file number of the table: in another
 *   database of the same server, and after the table was created again, truncated or rewritten. A restore that deletes
 *   the rows and copies others changes neither; the transaction ids in the versions cover that case.
 *
 * Measured: 2 to 5 microseconds a statement. Reading `pg_database` takes 10 and more, and `pg_control_system()` reads a
 * file.
 */
export const catalogIncarnation = `pg_postmaster_start_time(), pg_relation_filepath('brand_catalogs')`;
