import {
  column,
  epochMs,
  epochMsOrInfinity,
  type JsonRowsValue,
  jsonRows,
} from '../../../postgres/json-rows.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import type { StockSum } from '../../stock/availability.ts';
import { combinationReader } from '../combination.ts';
import { noVariantStock, type VariantFields, type VariantView, variantFields } from '../variant.ts';

/** The column of `variantsJson`. */
export interface VariantsJson {
  readonly variants: JsonRowsValue;
  /** One row for each variant that has a stock level. */
  readonly stocks: JsonRowsValue;
}

const variantRows = jsonRows({
  id: column<number>('page.id'),
  tuId: column<string>('page.tu_id'),
  combination: column<string>('page.combination'),
  position: column<number>('page.position'),
  createdAt: epochMs('page.created_at'),
  updatedAt: epochMs('page.updated_at'),
  ...variantFields.jsonColumns('page'),
});

const stockRows = jsonRows({
  variantId: column<number>('s.variant_id'),
  levels: column<number>('s.levels'),
  countedLevels: column<number>('s.counted_levels'),
  available: column<number>('s.available'),
  freshAt: epochMsOrInfinity('s.fresh_at'),
});

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
      'variants', ${variantRows.aggregate(`select ${variantRows.columns} from page order by page.position, page.id`)},
      'stocks', ${stockRows.aggregate(`
          select ${stockRows.columns}
          from variant_stock s
          where s.brand_id = p.brand_id and s.product_id = p.id
            and s.variant_id = any (array(select page.id from page))`)}
    )
  )`;
}

export function variantsFromJson(
  { variants, stocks }: VariantsJson,
  selection: AxisSelection,
): VariantView[] {
  const axisValuesOf = combinationReader(selection);
  const stockOf = new Map(
    stockRows
      .read(stocks)
      .map(({ variantId, freshAt, ...stock }): [number, StockSum] => [
        variantId,
        { ...stock, freshAt: freshAt === null ? null : Number(freshAt) },
      ]),
  );
  return variantRows.read(variants).map((row) => {
    const fields: Record<string, unknown> = {};
    for (const field of variantFields.fieldNames) fields[field] = row[field];
    return {
      ...(fields as unknown as VariantFields),
      id: row.id,
      tuId: row.tuId,
      axisValues: axisValuesOf(row.combination),
      position: row.position,
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
      stock: stockOf.get(row.id) ?? noVariantStock,
    };
  });
}
