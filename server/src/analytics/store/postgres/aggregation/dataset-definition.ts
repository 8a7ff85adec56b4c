import type { AggregationFacts, DatasetName } from '../../aggregation-types.ts';

/** The definition of a dataset, from which `dataset-statements.ts` generates its SQL. */
export interface DatasetDefinition {
  /** Also the table's name in the schema `analytics`. */
  readonly name: DatasetName;
  /**
   * The columns that identify a row in addition to brand and day. Running totals add up the days of a key.
   */
  readonly keys: readonly string[];
  /** Columns that are not sums: attributes of the key, and facts from the time of the aggregation. */
  readonly attributes: readonly string[];
  /** Columns with the sums of the day. */
  readonly sums: readonly string[];
  /** The sums that have a running total in `cumulative_<name>`. */
  readonly cumulated: readonly string[];
  /**
   * A select with the columns day, keys, attributes and sums: the new rows, computed from `pg_temp.fold_by_user` or
   * `pg_temp.fold_by_content`. $2 and $3 are the range; the values of `values` start at $4.
   */
  readonly fresh: string;
  readonly values: (facts: AggregationFacts) => readonly unknown[];
}

/** `sum(f.x) as x` for each column. */
export function sumsOf(columns: readonly string[]): string {
  return columns.map((column) => `sum(f.${column}) as ${column}`).join(', ');
}

/** Columns of one content type (`episode_views` and so on) and their sums; 0 without such rows. */
export function columnsOfType(type: string, columns: readonly string[]): readonly string[] {
  return columns.map((column) => `${type}_${column}`);
}

export function sumsOfType(type: string, columns: readonly string[]): string {
  return columns
    .map(
      (column) =>
        `coalesce(sum(f.${column}) filter (where f.content_type = '${type}'), 0) as ${type}_${column}`,
    )
    .join(', ');
}
