import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AxisSelection } from './axis-selection.ts';
import type { SelectionGround } from './choose-axes.ts';
import { selectionJson } from './queries/selection-json.ts';

interface SelectionFacts extends Omit<SelectionGround, 'axisLibrary'> {
  readonly productId: number;
}

interface FactsRow {
  readonly id: number;
  readonly has_variants: boolean;
  readonly selection: AxisSelection;
  readonly carried: readonly { readonly axis_id: number; readonly value_id: number }[];
}

/** Reads a product's selection and the values that its live variants carry; null if the brand has no such product. */
export async function readSelectionFacts(
  tx: Transaction,
  { brandId, productTuId }: { readonly brandId: number; readonly productTuId: string },
): Promise<SelectionFacts | null> {
  const [row] = await tx.run(
    statement<FactsRow>(
      'read_selection_facts',
      `select p.id, p.has_variants, ${selectionJson} as selection, (
         select coalesce(json_agg(distinct jsonb_build_object('axis_id', x.axis_id, 'value_id', x.value_id)), '[]')
         from variants v
         join variant_axis_values x on x.brand_id = v.brand_id and x.variant_id = v.id
         where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
       ) as carried
       from products p where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (row === undefined) return null;
  const byAxis = Map.groupBy(row.carried, ({ axis_id }) => axis_id);
  return {
    productId: row.id,
    hasVariants: row.has_variants,
    current: row.selection,
    carried: new Map([...byAxis].map(([id, of]) => [id, new Set(of.map(({ value_id }) => value_id))])),
  };
}

/** Replaces a selection under the brand's catalog lock, and moves the product's `updated_at`; sent with the commit. */
export function replaceSelection(
  tx: Transaction,
  product: { readonly brandId: number; readonly productId: number; readonly stampedAt: Date },
  selection: AxisSelection,
): void {
  const { brandId, productId, stampedAt } = product;
  tx.queue(
    statement<never>('detach_axes', 'delete from product_axes where brand_id = $1 and product_id = $2', [
      brandId,
      productId,
    ]),
  );
  const values = selection.flatMap((axis) => axis.values.map(({ id }) => ({ axisId: axis.id, id })));
  tx.queue(
    statement<never>(
      'attach_axes',
      `with attached as (
         insert into product_axes (brand_id, product_id, axis_id, position)
         select $1, $2, c.axis_id, c.place - 1
         from unnest($3::bigint[]) with ordinality as c (axis_id, place)
       ), chosen as (
         insert into product_axis_values (brand_id, product_id, axis_id, value_id)
         select $1, $2, s.axis_id, s.value_id
         from unnest($4::bigint[], $5::bigint[]) as s (axis_id, value_id)
       )
       update products set updated_at = $6 where brand_id = $1 and id = $2`,
      [
        brandId,
        productId,
        selection.map(({ id }) => id),
        values.map(({ axisId }) => axisId),
        values.map(({ id }) => id),
        stampedAt,
      ],
    ),
  );
}
