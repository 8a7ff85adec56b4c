import { type Statement, statement } from '../../../../postgres/statement.ts';
import type { Day, DayRange } from '../../../day.ts';
import type { AggregationFacts } from '../../aggregation-types.ts';
import type { DatasetDefinition } from './dataset-definition.ts';

/**
 * The statements that replace a range of days in one dataset, in the order in which they run. `pg_temp.change_<dataset>`
 * collects by how much each key's totals change: what is removed counts negative, what is written positive. Later rows
 * are moved by the difference, so that a day may be replaced at any time and in any order.
 */
export interface DatasetStatements {
  readonly definition: DatasetDefinition;
  createChange(): Statement<never>;
  remove(brandId: number, range: DayRange): Statement<never>;
  /** Answers the rows written by day. */
  write(brandId: number, range: DayRange, facts: AggregationFacts): Statement<{ day: Day; rows: number }>;
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
    remove: (brandId, { from, to }) => named('remove_days', [brandId, from, to]),
    write: (brandId, { from, to }, facts) => named('write_days', [brandId, from, to, ...values(facts)]),
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

  return {
    create_change: `create temporary table change_${name}
      (${keys.map((key) => `${key} bigint`).join(', ')}, ${each((column) => `${column} numeric`)}) on commit drop`,

    remove_days: `with removed as (
        delete from ${table} where brand_id = $1 and day between $2::date and $3::date
        returning ${keyList}, ${changed}
      )
      insert into ${change} (${keyList}, ${changed})
      select ${keyList}, ${each((column) => `-sum(${column})`)} from removed group by ${keyList}`,

    // A row goes on from the last one of its key before the range.
    write_days: `with fresh as (${fresh}),
      base as (
        select k.*, ${each((column) => `coalesce(b.cumulative_${column}, 0) as ${column}`)}
        from (select distinct ${keyList} from fresh) k
        left join lateral (
          select ${cumulative.join(', ')} from ${table} b
          where b.brand_id = $1 and ${sameKey('b', 'k')} and b.day < $2::date
          order by b.day desc limit 1
        ) b on true
      ),
      written as (
        insert into ${table} (${columns.join(', ')})
        select $1, f.day, ${[...keys, ...attributes, ...sums].map((column) => `f.${column}`).join(', ')},
          ${each((column) => `base.${column} + sum(f.${column}) over key_so_far`)}
        from fresh f join base on ${sameKey('base', 'f')}
        window key_so_far as (partition by ${keys.map((key) => `f.${key}`).join(', ')} order by f.day)
        returning day, ${keyList}, ${changed}
      ),
      counted as (
        insert into ${change} (${keyList}, ${changed})
        select ${keyList}, ${each((column) => `sum(${column})`)} from written group by ${keyList}
      )
      select to_char(day, 'YYYY-MM-DD') as day, count(*) as rows from written group by written.day`,

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
