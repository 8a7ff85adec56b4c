import { columnList } from '../../postgres/column-list.ts';
import type { SetColumns } from '../../postgres/row-set.ts';
import type { LevelState } from './level-decision.ts';

const columns = {
  quantity: { column: 'quantity', sqlType: 'integer' },
  reserved: { column: 'reserved', sqlType: 'integer' },
  sourceAt: { column: 'source_updated_at', sqlType: 'timestamptz' },
  isFromFeed: { column: 'is_from_feed', sqlType: 'boolean' },
} as const;

/** The columns of `stock_levels` that a change decides on: the one list from which they are read and written. */
export const levelFields = columnList<LevelState>(columns);

/** The values of the columns, as a statement returns them. */
export type LevelRow = Readonly<Record<string, unknown>> & { readonly source_updated_at: Date };

export function levelFromRow(row: LevelRow): LevelState {
  return { ...(levelFields.fieldsOf(row) as LevelState), sourceAt: row.source_updated_at.getTime() };
}

/** The same columns of a set of changed levels. */
export const levelSetColumns: SetColumns<{ readonly after: LevelState }> = Object.fromEntries(
  Object.entries(columns).map(([field, { column, sqlType }]) => [
    column,
    [
      sqlType,
      ({ after }) => (field === 'sourceAt' ? new Date(after.sourceAt) : after[field as keyof LevelState]),
    ],
  ]),
);
