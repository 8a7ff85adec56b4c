/**
 * Turns columns into rows: `figures(['live_variants'], 'p', 't')` compares `p.live_variants` with `t.live_variants`,
 * and each pair is a row of `f (field, stored, actual)`. Use it after `from`, with the condition `differs`.
 */
export function figures(columns: readonly string[], stored: string, actual: string): string {
  const rows = columns.map((column) => `('${column}', ${stored}.${column}::text, ${actual}.${column}::text)`);
  return `cross join lateral (values ${rows.join(', ')}) as f (field, stored, actual)`;
}

/**
 * The row `t` of a view for the product `p`. Queried for one product after the other ("offset 0" ensures
 * that), which is linear without table statistics; as a plain join, 5,000 newly loaded products took 80 s.
 */
export function truthOf(
  view: 'product_variant_truth' | 'product_stock_truth',
  columns: readonly string[],
): string {
  return `cross join lateral (
    select ${columns.join(', ')} from ${view} where brand_id = p.brand_id and product_id = p.id offset 0
  ) as t`;
}

export const differs = 'f.stored is distinct from f.actual';

/**
 * A condition that the level `l` contradicts its ledger. Nothing shows which side is correct, so values that depend on such a
 * level are not repaired: a repair would make the rest agree with the damage [D72].
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
