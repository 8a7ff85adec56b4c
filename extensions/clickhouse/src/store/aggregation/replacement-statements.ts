import { type DayRange, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import { columnsOf, cumulativeOf, type DatasetShape, notHidden } from '../dataset-shape.ts';
import { pairsOf } from '../layers.ts';
import { integer, monthOf, monthOfColumn, within } from '../literals.ts';
import { type EarlierRows, earlierRows } from './earlier-sums.ts';

export interface Replacement extends EarlierRows {
  readonly range: DayRange;
  readonly generation: number;
  /** Erased learners whose rows may still be there. */
  readonly hiddenLearnerIds: readonly number[];
}

const each = (columns: readonly string[], form: (column: string) => string) => columns.map(form).join(', ');

/**
 * Returns the statement that writes the new rows of the range with their running totals: the sums of all published days before
 * it, plus those of the range so far. Sums of days are in the first layer of each day; later layers correct running totals only.
 * @param fresh a select of the new rows
 * @param freshKeys a select of their keys, to limit the rows that are added up; null: all keys of the dataset are few
 */
export function writeDays(
  shape: DatasetShape,
  replacement: Replacement,
  fresh: string,
  freshKeys: string | null,
): string {
  const { name, keys, attributes, sums, cumulated } = shape;
  const { brandId, range, generation } = replacement;
  const some = freshKeys === null ? null : `(${keys.join(', ')}) in (${freshKeys})`;
  const before = earlierRows(shape, replacement, range.from, some);
  const soFar =
    range.from === range.to
      ? (column: string) => `f.${column}`
      : (column: string) => `sum(f.${column}) over (partition by ${keys.map((key) => `f.${key}`).join(', ')}
          order by f.day rows between unbounded preceding and current row)`;
  const inserted = `insert into ${name} (${columnsOf(shape).join(', ')})`;
  const plain = ['day', ...keys, ...attributes, ...sums];
  const row = (
    total: (column: string) => string,
  ) => `select ${integer(brandId)}, ${monthOfColumn('f.day', range)},
      f.day, ${integer(generation)}, ${each(plain.slice(1), (column) => `f.${column}`)}, ${each(cumulated, total)}`;
  if (before === null) return `${inserted} ${row(soFar)} from (${fresh}) f`;
  return `${inserted} ${row((column) => `b.base_${column} + ${soFar(column)}`)}
    from (${fresh}) f
    left join (
      select ${keys.join(', ')}, ${each(cumulated, (column) => `sum(${column}) as base_${column}`)}
      from (${before})
      group by ${keys.join(', ')}
    ) b on ${keys.map((key) => `b.${key} = f.${key}`).join(' and ')}`;
}

/** Returns a select of day and number of rows that a generation has in the range; without one, on later days. */
export function countRows(
  { name }: DatasetShape,
  { brandId, generation, range }: Replacement,
  where: 'range' | 'later',
): string {
  const days = where === 'range' ? within(range) : laterThan(range);
  return `select day, count() as rows from ${name} where brand_id = ${integer(brandId)} and generation = ${integer(generation)}
    and ${days} group by day order by day`;
}

/**
 * Returns the statement that writes an overlay of the days after the range: the rows of the keys whose sums have changed in the
 * range, with their new running totals, where these differ from the published ones. Null without such days [analytics-42].
 */
export function correctLater(shape: DatasetShape, replacement: Replacement): string | null {
  const { name, keys, attributes, sums, cumulated } = shape;
  const { brandId, range, generation, layers } = replacement;
  const kept = notHidden(shape, replacement.hiddenLearnerIds);
  const later = pairsOf(layers, (day) => day > range.to, 'all');
  if (later === null) return null;
  const cumulative = cumulativeOf(shape);
  const ofBrand = `brand_id = ${integer(brandId)}`;
  const keyList = keys.join(', ');
  const replaced = pairsOf(layers, (day) => day >= range.from && day <= range.to, 'first');
  const isNew = `generation = ${integer(generation)}`;
  const changed = `select ${keyList} from ${name}
      where ${ofBrand} and ${within(range)} and (${isNew}${replaced === null ? '' : ` or ${replaced}`})
      group by ${keyList}
      having ${cumulated.map((column) => `sum(if(${isNew}, ${column}, -${column})) != 0`).join(' or ')}`;
  const earlier = earlierRows(shape, replacement, range.from, `(${keyList}) in (${changed})`);
  const copied = ['month', 'day', ...keys, ...attributes, ...sums];
  return `insert into ${name} (${columnsOf(shape).join(', ')})
    select ${integer(brandId)}, n.month, n.day, ${integer(generation)},
      ${each([...keys, ...attributes, ...sums], (column) => `n.${column}`)}, ${each(cumulated, (column) => `n.new_${column}`)}
    from (
      select ${each(copied, (column) => `l.${column} as ${column}`)}, ${each(cumulative, (column) => `l.old_${column} as old_${column}`)},
        ${each(
          cumulated,
          (
            column,
          ) => `s.start_${column} + sum(l.${column}) over (partition by ${keys.map((key) => `l.${key}`).join(', ')}
            order by l.day rows between unbounded preceding and current row) as new_${column}`,
        )}
      from (
        select ${copied.join(', ')}, ${each(cumulative, (column) => `argMax(${column}, generation) as old_${column}`)}
        from ${name}
        where ${ofBrand} and ${laterThan(range)} and ${later} and (${keyList}) in (${changed})${kept}
        group by ${copied.join(', ')}
      ) l
      left join (
        select ${keyList}, ${each(cumulated, (column) => `sum(${column}) as start_${column}`)}
        from (
          select ${[...keys, ...cumulated].join(', ')} from ${name}
          where ${ofBrand} and ${within(range)} and ${isNew} and (${keyList}) in (${changed})
          ${earlier === null ? '' : `union all ${earlier}`}
        )
        group by ${keyList}
      ) s on ${keys.map((key) => `s.${key} = l.${key}`).join(' and ')}
    ) n
    where ${cumulated.map((column) => `n.new_${column} != n.old_cumulative_${column}`).join(' or ')}`;
}

function laterThan({ to }: DayRange): string {
  return `month >= ${monthOf(to)} and day > ${dayNumberOf(to)}`;
}
