import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { LibraryAxis, SelectedAxis } from '../axis-selection.ts';
import type { WantedAxis } from '../choose-axes.ts';
import { valueJson } from './selection-json.ts';

/** Returns the axes that a request names, by code, each with the values that it names, in the library's order. */
export async function findLibraryAxes(
  database: Queryable,
  brandId: number,
  wanted: readonly WantedAxis[],
): Promise<Map<string, LibraryAxis>> {
  const rows = await database.run(
    statement<Omit<SelectedAxis, 'position'>>(
      'find_library_axes',
      `select a.id, a.code, a.label, a.is_active as "isActive", (
         select coalesce(json_agg(${valueJson} order by w.position, w.value), '[]')
         from unnest($3::text[], $4::text[]) as n (code, value)
         -- Looked up by the value alone: with the axis in the condition, the planner might choose the index by axis and
         -- id, which would read all values of the axis.
         cross join lateral (
           select v.id, v.axis_id, v.value, v.label, v.position, v.is_active from axis_values v
           where v.brand_id = a.brand_id and v.value = n.value
           offset 0
         ) as w
         where n.code = a.code and w.axis_id = a.id
       ) as values
       from axes a
       where a.brand_id = $1 and a.code = any($2::text[])`,
      [
        brandId,
        [...new Set(wanted.map(({ code }) => code))],
        wanted.flatMap(({ code, values }) => values.map(() => code)),
        wanted.flatMap(({ values }) => values),
      ],
    ),
  );
  return new Map(
    rows.map(({ values, ...axis }) => [
      axis.code,
      { ...axis, values: new Map(values.map((value) => [value.value, value])) },
    ]),
  );
}
