import type { DatasetName } from '../../../analytics/store/aggregation-types.ts';
import { type Figures, runningTotals } from './figures.ts';

interface Comparison {
  readonly dataset: DatasetName;
  readonly keys: readonly string[];
  readonly figures: Figures;
  /** Selects day, keys and values of the expected rows. */
  readonly truth: string;
  readonly stored: string;
  readonly name: string;
}

/**
 * Compares every value and running total of the stored rows with the expected ones. Running totals are computed from the expected
 * increments, never from stored totals. A missing or surplus row is reported as the field `row`.
 */
export function compare({ dataset, keys, figures, truth, stored, name }: Comparison): string {
  const columns = Object.keys(figures);
  const totals = runningTotals[dataset];
  const fields = [...columns, ...totals.map((column) => `cumulative_${column}`)];
  const sums = totals.map((column) => `sum(t.${column}) over key_so_far as cumulative_${column}`).join(', ');
  const same = ['day', ...keys].map((key) => `s.${key} = a.${key}`).join(' and ');
  const keysOf = keys.map((key) => `coalesce(s.${key}, a.${key}) as ${key}`).join(', ');
  const values = fields.map((field) => `('${field}', s.${field}::numeric, a.${field}::numeric)`).join(', ');
  return `with actual as (
      select t.*, ${sums} from (${truth}) t
      window key_so_far as (partition by ${keys.map((key) => `t.${key}`).join(', ')} order by t.day)
    )
    select r.day, ${name} as id, f.field, f.stored, f.actual
    from (${stored}) s
    full join actual a on ${same}
    cross join lateral (select coalesce(s.day, a.day) as day, ${keysOf}) r
    cross join lateral (
      select field, stored::text, actual::text from (values ${values}) as v (field, stored, actual)
      where s.day is not null and a.day is not null and stored is distinct from actual
      union all
      select 'row', case when s.day is not null then 'present' end, case when a.day is not null then 'present' end
      where s.day is null or a.day is null
    ) f`;
}
