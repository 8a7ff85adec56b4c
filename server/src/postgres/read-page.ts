import type { Conditions } from './conditions.ts';
import type { Queryable } from './database.ts';
import { statement } from './statement.ts';

export interface PagedRows {
  /** Names the statements: `list_<name>` and `count_<name>`. */
  readonly name: string;
  readonly columns: string;
  /** The tables, as in the `from` clause. */
  readonly from: string;
  readonly where: Conditions;
  readonly orderBy: string;
  /** See `Statement`. Default: true. */
  readonly long?: boolean;
}

/** Reads one page of the rows that match, and the number of all that match. */
export async function readPage<Row>(
  database: Queryable,
  { name, columns, from, where, orderBy, long = true }: PagedRows,
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: Row[]; total: number }> {
  const matches = `from ${from}${where.sql === '' ? '' : ` where ${where.sql}`}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const list = `select ${columns} ${matches} order by ${orderBy} ${limit}`;
  const count = `select count(*) as total ${matches}`;
  const [rows, counts] = await Promise.all([
    database.run(statement<Row>(`list_${name}`, list, where.values, { long })),
    database.run(statement<{ total: number }>(`count_${name}`, count, values, { long })),
  ]);
  return { rows, total: counts[0]?.total ?? 0 };
}
