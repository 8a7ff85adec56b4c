import { notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import type {
  AxisSelection,
  LibraryAxis,
  SelectedAxis,
  SelectionBefore,
  WantedAxis,
} from './axis-selection.ts';

/** The JSON of a value `w` of the library, with the names of a `SelectedValue`. */
const valueJson = `json_build_object(
  'id', w.id, 'value', w.value, 'label', w.label, 'position', w.position, 'isActive', w.is_active
)`;

/**
 * A column with the `AxisSelection` of the product `p`. Each value is looked up by its key ("offset 0") [D76]: on tables that
 * were never analysed, the planner joined the whole library of an axis with all selections, which took 87 ms instead of 1.
 */
export const selectionJson = `(
    select coalesce(json_agg(json_build_object(
      'id', a.id, 'code', a.code, 'label', a.label, 'position', pa.position, 'isActive', a.is_active,
      'values', (
        select json_agg(${valueJson} order by w.position, w.value)
        from product_axis_values s
        cross join lateral (
          select v.id, v.value, v.label, v.position, v.is_active from axis_values v
          where v.brand_id = s.brand_id and v.axis_id = s.axis_id and v.id = s.value_id
          offset 0
        ) w
        where s.brand_id = pa.brand_id and s.product_id = pa.product_id and s.axis_id = pa.axis_id
      )
    ) order by pa.position), '[]')
    from product_axes pa
    join axes a on a.brand_id = pa.brand_id and a.id = pa.axis_id
    where pa.brand_id = p.brand_id and pa.product_id = p.id
  )`;

/** @throws ApiError `not_found` when the brand has no such product */
export async function getAxisSelection(
  database: Queryable,
  brandId: number,
  productTuId: string,
): Promise<AxisSelection> {
  const rows = await database.run(
    statement<{ selection: AxisSelection }>(
      'get_axis_selection',
      `select ${selectionJson} as selection from products p where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return rows[0].selection;
}

/** Returns the axes that a request names, by code, each with the values that it names, in the library's order. */
export async function findLibraryAxes(
  { tx, brandId }: CatalogLock,
  wanted: readonly WantedAxis[],
): Promise<Map<string, LibraryAxis>> {
  const rows = await tx.run(
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

interface StoredSelection extends Omit<SelectionBefore, 'axisLibrary'> {
  readonly productId: number;
}

interface StoredSelectionRow extends Omit<StoredSelection, 'carried'> {
  readonly carried: readonly { readonly axisId: number; readonly valueId: number }[];
}

/** Reads a product's selection and the values that its live variants carry; null if the brand has no such product. */
export async function readStoredSelection(
  { tx, brandId }: CatalogLock,
  productTuId: string,
): Promise<StoredSelection | null> {
  const [row] = await tx.run(
    statement<StoredSelectionRow>(
      'read_stored_selection',
      `select p.id as "productId", p.has_variants as "hasVariants", ${selectionJson} as current, (
         select coalesce(json_agg(distinct jsonb_build_object('axisId', x.axis_id, 'valueId', x.value_id)), '[]')
         from variants v
         join variant_axis_values x on x.brand_id = v.brand_id and x.variant_id = v.id
         where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
       ) as carried
       from products p where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (row === undefined) return null;
  const byAxis = Map.groupBy(row.carried, ({ axisId }) => axisId);
  return {
    ...row,
    carried: new Map([...byAxis].map(([id, of]) => [id, new Set(of.map(({ valueId }) => valueId))])),
  };
}

/** Replaces the selection of a product, and moves its `updated_at` [catalog-25]; sent with the commit. */
export function replaceSelection(
  { tx, brandId }: CatalogLock,
  { productId, stampedAt }: { readonly productId: number; readonly stampedAt: Date },
  selection: AxisSelection,
): void {
  const values = selection.flatMap((axis) => axis.values.map(({ id }) => ({ axisId: axis.id, id })));
  tx.queue(
    statement<never>('detach_axes', 'delete from product_axes where brand_id = $1 and product_id = $2', [
      brandId,
      productId,
    ]),
  );
  tx.queue(
    statement<never>(
      'attach_axes',
      `insert into product_axes (brand_id, product_id, axis_id, position)
       select $1, $2, c.axis_id, c.place - 1
       from unnest($3::bigint[]) with ordinality as c (axis_id, place)`,
      [brandId, productId, selection.map(({ id }) => id)],
    ),
  );
  tx.queue(
    statement<never>(
      'select_values',
      `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
       select $1, $2, s.axis_id, s.value_id
       from unnest($3::bigint[], $4::bigint[]) as s (axis_id, value_id)`,
      [brandId, productId, values.map(({ axisId }) => axisId), values.map(({ id }) => id)],
    ),
  );
  tx.queue(
    statement<never>(
      'stamp_selection',
      'update products set updated_at = $3 where brand_id = $1 and id = $2',
      [brandId, productId, stampedAt],
    ),
  );
}
