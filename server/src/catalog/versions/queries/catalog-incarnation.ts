/**
 * Columns that identify the catalog whose counters a version reads [D54]: a restored or copied database reaches the
 * same numbers through other changes.
 *
 * The start of the server differs after a failover or a restore of a base backup. The path of a table's file differs in
 * another database, and after the table was created again or rewritten. Transaction ids in the versions cover a restore
 * that replaces rows.
 */
export const catalogIncarnation = `pg_postmaster_start_time(), pg_relation_filepath('brand_catalogs')`;
