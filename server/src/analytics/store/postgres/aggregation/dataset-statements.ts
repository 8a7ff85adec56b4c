import { type Statement, statement } from '../../../../postgres/statement.ts';
import type { Day, DayRange } from '../../../day.ts';
import type { AggregationFacts } from '../../aggregation-types.ts';
import type { DatasetDefinition } from './dataset-definition.ts';

/** How a range of days is replaced. */
export interface Replacement {
  readonly range: DayRange;
  /** Whether the brand has aggregated days after the range, whose cumulative figures have to follow. */
  readonly hasLaterDays: boolean;
}

/**
 * The statements that replace a range of days in one dataset, in the order in which they run. Where later days follow,
 * `pg_temp.change_<dataset>` collects by how much each key's totals change: what is removed counts negative, what is
 * written positive. Later rows are moved by the difference, so that a day may be replaced at any time and in any order.
 */
export interface DatasetStatements {
  readonly definition: DatasetDefinition;
  createChange(): Statement<never>;
  remove(brandId: number, replacement: Replacement): Statement<never>;
  /** Answers the rows written by day. */
  write(
    brandId: number,
    replacement: Replacement,
    facts: AggregationFacts,
  ): Statement<{ day: Day; rows: number }>;
  analyzeChange(): Statement<never>;
  /** Moves the cumulative figures of days after the range; answers the days that changed. */
  correctLater(brandId: number, range: DayRange): Statement<{ day: Day }>;
}

export function datasetStatements(definition: DatasetDefinition): DatasetStatements {
  const { name, values } = definition;
  const texts = textsOf(definition);
  const named = <Row>(verb: keyof typeof texts, parameters: readonly unknown[] = []) =>
    statement<Row>(`${verb}_${name}`, texts[verb], parameters);
  return {
    definition,
    createChange: () => named('create_change'),
    remove: (brandId, { range: { from, to }, hasLaterDays }) =>
      named(hasLaterDays ? 'remove_days' : 'remove_last_days', [brandId, from, to]),
    write: (brandId, { range: { from, to }, hasLaterDays }, facts) => {
      const verb = from === to ? 'write_day' : 'write_days';
      return named(hasLaterDays ? verb : (`${verb}_last` as const), [brandId, from, to, ...values(facts)]);
    },
    analyzeChange: () => named('analyze_change'),
    correctLater: (brandId, { to }) => named('correct_later_days', [brandId, to]),
  };
}

function textsOf({ name, keys, attributes, sums, cumulated, fresh }: DatasetDefinition) {
  const table = `analytics.${name}`;
  const change = `pg_temp.change_${name}`;
  const cumulative = cumulated.map((column) => `cumulative_${column}`);
  const keyList = keys.join(', ');
  const changed = cumulated.join(', ');
  const columns = ['brand_id', 'day', ...keys, ...attributes, ...sums, ...cumulative];
  const each = (form: (column: string) => string, separator = ', ') => cumulated.map(form).join(separator);
  const sameKey = (a: string, b: string) => keys.map((key) => `${a}.${key} = ${b}.${key}`).join(' and ');
  const daysFirst = ['day', ...keys, ...attributes, ...sums].map((column) => `f.${column}`).join(', ');

  // A row goes on from the last one of its key before the range. Keys are looked up and written in their order: of a day
  // with many rows neighbours then meet the same pages of the index that finds them.
  const lastBefore = (key: string) => `left join lateral (
          select ${cumulative.join(', ')} from ${table} b
          where b.brand_id = $1 and ${sameKey('b', key)} and b.day < $2::date
          order by b.day desc limit 1
        ) b on true`;
  const oneDay = `with rows as (
        select $1::integer, ${daysFirst}, ${each((column) => `coalesce(b.cumulative_${column}, 0) + f.${column}`)}
        from (select * from (${fresh}) fresh order by ${keyList}) f
        ${lastBefore('f')}
      )`;
  const manyDays = `with fresh as materialized (${fresh}),
      base as (
        select k.*, ${each((column) => `coalesce(b.cumulative_${column}, 0) as ${column}`)}
        from (select distinct ${keyList} from fresh order by ${keyList}) k
        ${lastBefore('k')}
      ),
      rows as (
        select $1::integer, ${daysFirst}, ${each((column) => `base.${column} + sum(f.${column}) over key_so_far`)}
        from fresh f join base on ${sameKey('base', 'f')}
        window key_so_far as (partition by ${keys.map((key) => `f.${key}`).join(', ')} order by f.day)
      )`;
  const write = (rows: string) => `${rows},
      written as (
        insert into ${table} (${columns.join(', ')}) table rows
        returning day, ${keyList}, ${changed}
      ),
      counted as (
        insert into ${change} (${keyList}, ${changed})
        select ${keyList}, ${each((column) => `sum(${column})`)} from written group by ${keyList}
      )
      select to_char(day, 'YYYY-MM-DD') as day, count(*) as rows from written group by written.day`;
  const writeLast = (rows: string) => `${rows},
      written as (
        insert into ${table} (${columns.join(', ')}) table rows
        returning day
      )
      select to_char(day, 'YYYY-MM-DD') as day, count(*) as rows from written group by written.day`;

  return {
    create_change: `create temporary table change_${name}
      (${keys.map((key) => `${key} bigint`).join(', ')}, ${each((column) => `${column} numeric`)}) on commit drop`,

    remove_last_days: `delete from ${table} where brand_id = $1 and day between $2::date and $3::date`,

    remove_days: `with removed as (
        delete from ${table} where brand_id = $1 and day between $2::date and $3::date
        returning ${keyList}, ${changed}
      )
      insert into ${change} (${keyList}, ${changed})
      select ${keyList}, ${each((column) => `-sum(${column})`)} from removed group by ${keyList}`,

    write_day: write(oneDay),
    write_day_last: writeLast(oneDay),
    write_days: write(manyDays),
    write_days_last: writeLast(manyDays),

    analyze_change: `analyze ${change}`,

    correct_later_days: `with difference as (
        select ${keyList}, ${each((column) => `sum(${column}) as ${column}`)}
        from ${change} group by ${keyList}
        having ${each((column) => `sum(${column}) <> 0`, ' or ')}
      ),
      corrected as (
        update ${table} t
        set ${each((column) => `cumulative_${column} = t.cumulative_${column} + d.${column}`)}
        from difference d
        where t.brand_id = $1 and ${sameKey('t', 'd')} and t.day > $2::date
        returning t.day
      )
      select to_char(day, 'YYYY-MM-DD') as day from (select distinct day from corrected) as days`,
  };
}
