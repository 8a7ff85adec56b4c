/**
 * A condition that the level `l` contradicts its ledger: other owners, other quantities, or a variant of another
 * product. Nothing shows which side is correct, so values that depend on such a level are not repaired: a repair would
 * make the rest agree with the damage [D72].
 */
export const isDisputed = `(
  exists (
    select from stock_movements m
    where m.brand_id = l.brand_id and m.level_id = l.id
      and (m.product_id <> l.product_id or m.variant_id is distinct from l.variant_id)
  )
  or l.quantity <> coalesce(
    (select sum(m.delta) from stock_movements m where m.brand_id = l.brand_id and m.level_id = l.id), 0
  )
  or exists (
    select from variants v
    where v.brand_id = l.brand_id and v.id = l.variant_id and v.product_id <> l.product_id
  )
)`;
