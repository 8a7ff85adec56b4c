import { statement } from '../../postgres/statement.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import type { ChosenAxis } from './axis-selection.ts';
import type { CarriedValues } from './choose-axes.ts';

/** Returns the values that live variants of a product carry. They do not change until the commit. */
export async function listCarriedValues(
  { tx, brandId }: CatalogLock,
  productId: number,
): Promise<CarriedValues> {
  const rows = await tx.run(
    statement<{ axis_id: number; value_id: number }>(
      'list_carried_values',
      `select distinct x.axis_id, x.value_id
       from variants v
       join variant_axis_values x on x.brand_id = v.brand_id and x.variant_id = v.id
       where v.brand_id = $1 and v.product_id = $2 and v.deleted_at is null`,
      [brandId, productId],
    ),
  );
  const carried = new Map<number, Set<number>>();
  for (const { axis_id, value_id } of rows)
    carried.set(axis_id, (carried.get(axis_id) ?? new Set()).add(value_id));
  return carried;
}

/**
 * Replaces the selection of a product by `chosen`, in its order. Breaks a foreign key when an axis or a value does not
 * exist.
 */
export async function replaceSelection(
  { tx, brandId }: CatalogLock,
  productId: number,
  chosen: readonly ChosenAxis[],
): Promise<void> {
  await tx.run(
    statement<never>('detach_axes', 'delete from product_axes where brand_id = $1 and product_id = $2', [
      brandId,
      productId,
    ]),
  );
  if (chosen.length === 0) return;
  const values = chosen.flatMap(({ axisId, valueIds }) => valueIds.map((valueId) => ({ axisId, valueId })));
  await tx.run(
    statement<never>(
      'attach_axes',
      `with attached as (
         insert into product_axes (brand_id, product_id, axis_id, position)
         select $1, $2, c.axis_id, c.place - 1
         from unnest($3::bigint[]) with ordinality as c (axis_id, place)
       )
       insert into product_axis_values (brand_id, product_id, axis_id, value_id)
       select $1, $2, s.axis_id, s.value_id
       from unnest($4::bigint[], $5::bigint[]) as s (axis_id, value_id)`,
      [
        brandId,
        productId,
        chosen.map(({ axisId }) => axisId),
        values.map(({ axisId }) => axisId),
        values.map(({ valueId }) => valueId),
      ],
    ),
  );
}
