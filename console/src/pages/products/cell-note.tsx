import type { CellPlace } from '../../parts/matrix-types.ts';
import { Moment } from '../../parts/moment.tsx';
import { describe, type StockMatrix } from './matrix-model.ts';
import { messages } from './messages.ts';

interface Props {
  readonly matrix: StockMatrix;
  /** The cell under the pointer or with the focus; null: none yet. */
  readonly place: CellPlace | null;
}

/** A line below the matrix with everything about one cell. Screen readers have the same in the cell's name. */
export function CellNote({ matrix: { rows, columns }, place }: Props) {
  const row = place === null ? undefined : rows[place.row];
  const column = place === null ? undefined : columns[place.column];
  if (place === null || row === undefined || column === undefined)
    return <p className="matrix-note soft">{messages.matrix.hint}</p>;
  const level = row.levels[place.column];
  return (
    <p className="matrix-note" aria-hidden="true">
      <span className="mono">{row.sku}</span> {messages.matrix.at}{' '}
      <span title={column.title}>{column.title}</span>: <strong>{describe(level)}</strong>
      {level !== undefined && (
        <span className="soft">
          , {messages.matrix.source} <Moment at={level.source_updated_at} />
        </span>
      )}
    </p>
  );
}
