import { type Statement, statement } from '../../../../postgres/statement.ts';
import type { DayRange } from '../../../day.ts';
import type { DatasetName } from '../../aggregation-types.ts';
import { type PackedRow, packedColumns } from './packed-row.ts';

/** A filter of a page; one without a value is not there. */
export interface PageFilter {
  /** A letter of its own in the dataset. */
  readonly code: string;
  readonly column: string;
  readonly value: string | number | undefined;
}

/** One page of a dataset in the order of its primary key. */
export interface KeysetPage {
  /** Also the table. */
  readonly dataset: DatasetName;
  /** Besides the key. */
  readonly columns: readonly string[];
  /** The key without the brand, day among it. */
  readonly key: readonly [string, ...string[]];
  readonly brandId: number;
  readonly range: DayRange;
  readonly filters: readonly PageFilter[];
  /** A condition without a value, with a letter of its own. */
  readonly also?: { readonly code: string; readonly sql: string } | undefined;
  /** The key of the row before the page. */
  readonly after: readonly (string | number)[] | null;
  readonly limit: number;
}

/**
 * The statement of a page. Its name names the conditions that are in it, so that one name stands for one text.
 *
 * Two things keep a page at the cost of its own rows. A page that goes on after a key is two index ranges, what is left
 * of the key's first column, and the columns after it: the second can skip from one value to the next (PostgreSQL 18
 * does), which one comparison of whole keys cannot. And on the first page a window without rows is known from the record
 * of its days before any index is gone through. Measured with 10.2 million rows of content_engagement and 2 million of users over a
 * year, whole pages of 500 with their mapping, median: window of 7 days 3 ms and 8 ms, of one day 4 ms (17 ms with one
 * comparison of whole keys) and 13 ms, of 92 days 5 to 8 ms, of 92 days by type 20 to 30 ms, one learner 1 ms; a window
 * without rows 0.4 ms (130 ms without the look at its days).
 */
export function keysetPage(page: KeysetPage): Statement<PackedRow> {
  const { dataset, columns, key, range, also, after } = page;
  const values: unknown[] = [page.brandId, range.from, range.to, page.limit];
  const parameter = (column: string, value: unknown) =>
    `$${values.push(value)}${column === 'day' ? '::date' : ''}`;

  const filters = page.filters.filter(({ value }) => value !== undefined);
  const hasRows = `exists (select from analytics.brand_days d where d.brand_id = $1
       and d.day between $2::date and $3::date and (d.row_counts ->> '${dataset}')::bigint > 0)`;
  const conditions = [
    'brand_id = $1 and day between $2::date and $3::date',
    ...(after === null ? [hasRows] : []),
    ...filters.map(({ column, value }) => `${column} = ${parameter(column, value)}`),
    ...(also === undefined ? [] : [also.sql]),
  ];
  const rows = (further: string) => `select ${[...key, ...columns].join(', ')} from analytics.${dataset}
     where ${[...conditions, further].join(' and ')}
     order by ${key.join(', ')} limit $4`;
  const code = [...filters, ...(also === undefined ? [] : [also])].map((part) => part.code).join('');
  // The order is that of the rows inside, so that the second range is only read where the first leaves room.
  const packed = packedColumns([...key, ...columns]);
  const named = (suffix: string, text: string) =>
    statement<PackedRow>(
      `page_${dataset}/${code}${suffix}`,
      `select ${packed} from (${text}) as page order by ${key.join(', ')} limit $4`,
      values,
    );

  if (after === null) return named('', rows('true'));
  const [first, ...rest] = key;
  const [firstValue, ...restValues] = after;
  const later = `(${rest.join(', ')}) > (${restValues.map((value, i) => parameter(rest[i] as string, value)).join(', ')})`;
  if (filters.some(({ column }) => column === first)) return named('>', rows(later));
  const start = parameter(first, firstValue);
  return named(
    '>',
    `(${rows(`${first} = ${start} and ${later}`)}) union all (${rows(`${first} > ${start}`)})`,
  );
}
