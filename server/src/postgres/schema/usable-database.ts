import type pg from 'pg';

const oldestPostgres = 16;

/**
 * Returns why Brandport cannot use a database, with its name and what to do, or null: PostgreSQL is too old, or the database is
 * not in UTF-8, so that it would refuse texts of clients one by one [D299]. Reads only.
 */
export async function findWhyUnusable(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, current_database() as name`,
  );
  const { number, version, encoding, name } = rows[0];
  if (number < oldestPostgres * 10_000)
    return `The database ${name} is PostgreSQL ${version}; Brandport needs ${oldestPostgres} or later.`;
  if (encoding !== 'UTF8')
    return (
      `The database ${name} has the encoding ${encoding}; Brandport needs UTF8. Create another one: ` +
      `CREATE DATABASE ${name === 'brandport' ? 'brandport_utf8' : 'brandport'} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;`
    );
  return null;
}
