import { packLines, resultLetters, undecidedLetter } from '../../src/catalog/feeds/feed.ts';

/**
 * Returns SQL that stores lines of feeds, for tests that need stored feeds. `lines` is a query of `brand_id`, `feed_id`, `line`,
 * `sku`, `location_code`, `quantity`, `updated_at` and `result` (null: undecided).
 */
export function insertFeedLines(lines: string): string {
  const letter = `coalesce('${JSON.stringify(resultLetters)}'::jsonb ->> x.result, '${undecidedLetter}')`;
  return `insert into stock_feed_packs
      (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results)
    select x.brand_id, x.feed_id, x.line / ${packLines} * ${packLines}, array_agg(x.sku order by x.line),
      array_agg(x.location_code order by x.line), array_agg(x.quantity order by x.line),
      array_agg(null::integer order by x.line), array_agg(x.updated_at order by x.line),
      string_agg(${letter}, '' order by x.line)
    from (${lines}) as x (brand_id, feed_id, line, sku, location_code, quantity, updated_at, result)
    group by x.brand_id, x.feed_id, x.line / ${packLines}`;
}
