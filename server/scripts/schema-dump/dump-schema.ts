import type { Database } from '../../src/postgres/database.ts';
import { listColumns } from './queries/list-columns.ts';
import { listConstraints } from './queries/list-constraints.ts';
import { listIndexes } from './queries/list-indexes.ts';
import { listRelations } from './queries/list-relations.ts';
import { listRoutines, listTriggers } from './queries/list-routines.ts';
import { listSchemas } from './queries/list-schemas.ts';
import { listUnreadable } from './queries/list-unreadable.ts';
import { commentSql, type Relation, relationSql } from './table-sql.ts';

const header = `-- The schema that all migrations together make, to be read. Nothing runs it. Made by \`npm run generate\`.
-- Why things are as they are is said in the migrations. The job queue's own schema, pgboss, is not in it.`;

/**
 * The schema of a database as SQL that makes it again, in the order in which its objects were created.
 * @throws Error when the schema has something that the dump cannot say.
 */
export async function dumpSchema(database: Database): Promise<string> {
  const unreadable = await listUnreadable(database);
  if (unreadable.length > 0) throw new Error(`The schema dump has to learn of: ${unreadable.join(', ')}.`);
  const [schemas, relations, routines, triggers] = await Promise.all([
    listSchemas(database),
    readRelations(database),
    listRoutines(database),
    listTriggers(database),
  ]);
  const created = [
    ...relations.map((relation) => ({ oid: relation.oid, sql: relationSql(relation) })),
    ...routines.map(({ oid, definition, signature, comment }) => ({
      oid,
      sql: [`${definition.trimEnd()};`, ...commentSql(`ROUTINE ${signature}`, comment)].join('\n'),
    })),
    ...triggers.map(({ oid, definition }) => ({ oid, sql: `${definition};` })),
  ].sort((a, b) => a.oid - b.oid);
  return `${[
    header,
    ...schemas.flatMap(({ name, comment }) => [
      `CREATE SCHEMA ${name};`,
      ...commentSql(`SCHEMA ${name}`, comment),
    ]),
    ...created.map(({ sql }) => sql),
  ].join('\n\n')}\n`;
}

async function readRelations(database: Database): Promise<Relation[]> {
  const [relations, columns, constraints, indexes] = await Promise.all([
    listRelations(database),
    listColumns(database),
    listConstraints(database),
    listIndexes(database),
  ]);
  const of = <Row extends { relationOid: number }>(rows: readonly Row[], { oid }: { oid: number }) =>
    rows.filter(({ relationOid }) => relationOid === oid);
  return relations.map((relation) => ({
    ...relation,
    columns: of(columns, relation),
    constraints: of(constraints, relation),
    indexes: of(indexes, relation),
  }));
}
