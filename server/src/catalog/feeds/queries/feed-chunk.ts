/** Lines that are decided and written in one transaction. */
export const chunkLines = 1_000;

/**
 * The lines of a chunk that are not decided yet, by their numbers, and rows of nulls for the others: `chunk`, a common table
 * expression over the brand ($1), the feed ($2) and the number of the first line ($3). The series is there for the
 * planner: of the lines it expects a single one, and would go on to join a thousand with a thousand row by row.
 */
export const chunk = `chunk as materialized (
  select n as line, l.ctid as place, l.sku, l.location_code, l.quantity, l.reserved, l.updated_at
  from generate_series($3::integer, $3 + ${chunkLines - 1}) as n
  left join stock_feed_lines l on l.brand_id = $1 and l.feed_id = $2 and l.line = n
    and l.line >= $3 and l.line < $3 + ${chunkLines} and l.result is null
)`;

/**
 * The condition for the level `e` that a line `c` of the chunk names, by the copies of SKU and code that levels keep: one
 * look-up in `stock_levels_in_order` instead of those of the product, the variant, the location and the place. Nothing
 * where there is no such level, or the SKU is a deleted variant's.
 */
export const isLevelOfLine =
  'e.brand_id = $1 and e.sku = c.sku and e.location_code = c.location_code and not e.is_hidden';
