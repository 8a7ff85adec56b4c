import { type Static, Type } from 'typebox';
import { PageMetaWire } from '../../api/pagination.ts';
import { stockExample } from './stock-example.ts';
import { StockLevelWire } from './stock-level-wire.ts';

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
