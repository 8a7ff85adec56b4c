import { type Statement, statement } from '../../../../postgres/statement.ts';
import type { DayRange } from '../../../day.ts';

/** One page of a dataset in the order of its primary key. */
export interface KeysetPage {
  /** Table and prefix of the statement's name. */
  readonly dataset: string;
  readonly columns: string;
  /** The key without the brand. */
  readonly key: readonly string[];
  readonly brandId: number;
  readonly range: DayRange;
  /** Columns that have to have a value; those without one are not looked at. */
  readonly equal: Readonly<Record<string, string | number | undefined>>;
  /** Further conditions without values, by a name of their own. */
  readonly also?: Readonly<Record<string, string>>;
  /** The key of the row before the page. */
  readonly after: readonly (string | number)[] | null;
  readonly limit: number;
}

/** The statement of a page. Its name names the conditions that are in it, so that one name stands for one text. */
export function keysetPage<Row>(page: KeysetPage): Statement<Row> {
  const { dataset, columns, key, range } = page;
  const values: unknown[] = [page.brandId, range.from, range.to, page.limit];
  const conditions = ['brand_id = $1', 'day between $2::date and $3::date'];
  const code: string[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;

  const equal = Object.entries(page.equal).filter(([, value]) => value !== undefined);
  for (const [column, value] of equal) {
    conditions.push(`${column} = ${parameter(value)}`);
    code.push(column);
  }
  for (const [name, condition] of Object.entries(page.also ?? {})) {
    conditions.push(condition);
    code.push(name);
  }
  if (page.after !== null) {
    const after = page.after.map((value, index) =>
      key[index] === 'day' ? `${parameter(value)}::date` : parameter(value),
    );
    conditions.push(`(${key.join(', ')}) > (${after.join(', ')})`);
    code.push('after');
  }
  return statement(
    `page_${dataset}/${code.join('+')}`,
    `select ${columns} from analytics.${dataset}
     where ${conditions.join(' and ')}
     order by ${key.join(', ')}
     limit $4`,
    values,
  );
}
