import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import type { StockSum } from '../../stock/availability.ts';
import { combinationReader } from '../combination.ts';
import { noVariantStock, type VariantFields, type VariantView, variantFields } from '../variant.ts';

/** The column of `variantsJson`; in JSON, timestamps are strings and money is a number. */
export interface VariantsJson {
  readonly variants: readonly (Readonly<Record<string, unknown>> & {
    readonly id: number;
    readonly tu_id: string;
    readonly combination: string;
    readonly position: number;
    readonly created_at: string;
    readonly updated_at: string;
  })[];
  /** One entry for each variant that has a stock level. */
  readonly stocks: readonly (Omit<StockSum, 'freshAt'> & {
    readonly variantId: number;
    /** A timestamp or `infinity`. */
    readonly freshAt: string | null;
  })[];
}

interface Choice {
  /** Conditions on the variant `v` and a limit: `and v.sku = $3`, `limit $4`. Empty: every live variant. */
  readonly conditions?: string;
  readonly limit?: string;
  /** The number of rows that are kept of those within the limit. */
  readonly size?: string;
}

/**
 * A column with live variants of the product `p` in list order, and their stock, read at one moment. They are joined by
 * `variantsFromJson`: in SQL, 500 variants with two levels each took 30 ms instead of 4.
 */
export function variantsJson({ conditions = '', limit = '', size }: Choice = {}): string {
  const variants = `select v.id, v.tu_id, v.combination, v.position, v.created_at, v.updated_at, ${variantFields.list('v')}
      from variants v
      where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null ${conditions}
      order by v.position, v.id ${limit}`;
  const page =
    size === undefined
      ? variants
      : `select few.* from (${variants}) as few order by few.position, few.id limit ${size}`;
  return `(
    with page as materialized (
      ${page}
    )
    select json_build_object(
      'variants', (select coalesce(json_agg(page order by page.position, page.id), '[]') from page),
      'stocks', (
        select coalesce(json_agg(stock), '[]')
        from (
          select s.variant_id as "variantId", s.levels, s.counted_levels as "countedLevels", s.available,
            s.fresh_at as "freshAt"
          from variant_stock s
          where s.brand_id = p.brand_id and s.product_id = p.id
            and s.variant_id = any (array(select page.id from page))
        ) as stock
      )
    )
  )`;
}

export function variantsFromJson(
  { variants, stocks }: VariantsJson,
  selection: AxisSelection,
): VariantView[] {
  const axisValuesOf = combinationReader(selection);
  const stockOf = new Map(
    stocks.map(({ variantId, freshAt, ...stock }): [number, StockSum] => [
      variantId,
      { ...stock, freshAt: freshAt === 'infinity' ? Infinity : millisecondsOf(freshAt) },
    ]),
  );
  return variants.map((row) => ({
    id: row.id,
    tuId: row.tu_id,
    ...(variantFields.fieldsOf(row) as VariantFields),
    axisValues: axisValuesOf(row.combination),
    position: row.position,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    stock: stockOf.get(row.id) ?? noVariantStock,
  }));
}

function millisecondsOf(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
