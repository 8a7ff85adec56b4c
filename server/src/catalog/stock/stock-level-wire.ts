import { type Static, Type } from 'typebox';
import { Nullable, SourceTimestamp, Timestamp } from '../../api/field-schemas.ts';
import { PageMetaWire } from '../../api/pagination.ts';
import { instantText } from '../../lib/instant-text.ts';
import { shownSourceTime } from '../../lib/source-time.ts';
import { stockExample } from './stock-example.ts';
import { availableOf, type StockLevel } from './stock-level.ts';

/** A flat stock level [catalog-79]. */
export const StockLevelWire = Type.Object({
  sku: Type.String({ description: 'SKU of the product or variant.' }),
  product_tu_id: Type.String(),
  variant_tu_id: Nullable(Type.String(), { description: 'null for the product’s own stock.' }),
  location: Type.String({ description: 'The location’s `external_code`.' }),
  quantity: Type.Integer({ minimum: 0 }),
  reserved: Type.Integer({ minimum: 0, description: 'Set by feeds only.' }),
  available: Type.Integer({ minimum: 0, description: '`quantity` minus `reserved`, at least 0.' }),
  source_updated_at: SourceTimestamp({
    description: 'Timestamp of the quantities in the system that wrote them.',
  }),
  updated_at: Timestamp({ description: 'When they were written to Brandport.' }),
});

export function stockLevelToWire(level: StockLevel): Static<typeof StockLevelWire> {
  return {
    sku: level.sku,
    product_tu_id: level.productTuId,
    variant_tu_id: level.variantTuId,
    location: level.location,
    quantity: level.quantity,
    reserved: level.reserved,
    available: availableOf(level),
    source_updated_at: shownSourceTime(level.sourceUpdatedAt),
    updated_at: instantText(level.updatedAt),
  };
}

export const exampleToken = 'AZzR3kWm0f1qv5oN7c2yTn1b8hJxQeGdUu4sPl9aMi6wYzKtVrBo';

/** The meaning of `changed_after` in a query. */
export const changedAfterDescription =
  'The `changed_token` of an earlier answer: lists each level that changed after it once, in its current state, in the order of the last changes, including levels of deleted variants (`is_deleted`). The filters apply to the current state. `start` begins with every level and continues with the changes. Not together with `page`. A token is valid for at least 7 days; one that is not is 422, and all levels have to be read again.';

/** A level in the list of levels [catalog-79] [catalog-120]. */
export const ListedStockLevelWire = Type.Object({
  ...StockLevelWire.properties,
  is_deleted: Type.Optional(
    Type.Boolean({
      description:
        'With `changed_after` only. `true`: its variant was deleted, so the level no longer exists.',
    }),
  ),
});

const { last_page: lastPage, ...pageProperties } = PageMetaWire.properties;

/** The pagination of levels. */
export const StockLevelPageMetaWire = Type.Object({
  ...pageProperties,
  total: Type.Integer({
    minimum: 0,
    description:
      'The exact number of rows that match the filters; with `changed_after`, the number of rows of this answer.',
  }),
  last_page: lastPage,
  changed_token: Type.String({
    description:
      'For `changed_after`: the levels that change after this answer. If you read all pages first, use the token of the first one. With `has_more`, it continues this list.',
  }),
  has_more: Type.Optional(
    Type.Boolean({
      description:
        'With `changed_after` only. `true`: ask for `changed_token` again now; a page may be shorter than `per_page`, or empty.',
    }),
  ),
});

export const StockLevelListWire = Type.Object({
  data: Type.Array(ListedStockLevelWire),
  meta: StockLevelPageMetaWire,
});

export const stockLevelListExample: Static<typeof StockLevelListWire> = {
  data: [stockExample.level],
  meta: { current_page: 1, per_page: 50, total: 1, last_page: 1, changed_token: exampleToken },
};
