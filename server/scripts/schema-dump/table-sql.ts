import type { ColumnRow, ConstraintRow, IndexRow, RelationRow } from './queries/list-relations.ts';

/** A table or view with its dependent objects. */
export interface Relation extends RelationRow {
  readonly columns: readonly ColumnRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly indexes: readonly IndexRow[];
}

/** Returns the statements that recreate a table or view, including its indexes and comments. */
export function relationSql(relation: Relation): string {
  const { name, isView, query, columns, indexes, comment } = relation;
  const kind = isView ? 'VIEW' : 'TABLE';
  return [
    isView ? `CREATE VIEW ${name} AS\n${query};` : tableSql(relation),
    // With ONLY, later partitions would lack the index.
    ...indexes.map(({ definition }) => `${definition.replace(' ON ONLY ', ' ON ')};`),
    ...commentSql(`${kind} ${name}`, comment),
    ...columns.flatMap((column) => commentSql(`COLUMN ${name}.${column.name}`, column.comment)),
  ].join('\n');
}

/** Returns a `COMMENT ON` statement if there is a comment. */
export function commentSql(object: string, comment: string | null): string[] {
  return comment === null ? [] : [`COMMENT ON ${object} IS '${comment.replaceAll("'", "''")}';`];
}

function tableSql(relation: Relation): string {
  const { name, options, partitionKey, partitionOf, partitionBound, columns, constraints } = relation;
  const lines = constraints.map((constraint) => `  CONSTRAINT ${constraint.name} ${constraint.definition}`);
  // A partition has the columns of its table.
  if (partitionOf === null) lines.unshift(...columns.map((column) => `  ${columnSql(column)}`));
  return `${[
    `CREATE TABLE ${name}`,
    ...(partitionOf === null ? [] : [`PARTITION OF ${partitionOf}`]),
    ...(lines.length === 0 ? [] : [`(\n${lines.join(',\n')}\n)`]),
    ...(partitionBound === null ? [] : [partitionBound]),
    ...(partitionKey === null ? [] : [`PARTITION BY ${partitionKey}`]),
    ...(options === null || options === '' ? [] : [`WITH (${options})`]),
  ].join(' ')};`;
}

function columnSql(column: ColumnRow): string {
  const { name, type, storage, collation, isNotNull, identity, generated, expression } = column;
  return [
    name,
    type.replace(/^timestamp(\(\d\))? with time zone/, 'timestamptz$1'),
    ...(storage === null ? [] : [`STORAGE ${storage}`]),
    ...(collation === null ? [] : [`COLLATE ${collation}`]),
    ...(isNotNull ? ['NOT NULL'] : []),
    ...(identity === '' ? [] : [`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`]),
    ...(expression === null ? [] : [expressionSql(generated, expression)]),
  ].join(' ');
}

function expressionSql(generated: ColumnRow['generated'], expression: string): string {
  if (generated === '') return `DEFAULT ${expression}`;
  return `GENERATED ALWAYS AS (${expression}) ${generated === 's' ? 'STORED' : 'VIRTUAL'}`;
}
