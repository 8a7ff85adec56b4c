import { memo } from 'react';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { AvailabilityMark } from './availability.tsx';
import {
  type CellPlace,
  cellOf,
  describe,
  type StockMatrix as Model,
  type StockRow,
} from './matrix-model.ts';
import type { MatrixSizes } from './matrix-window.ts';

/** Returns the question that explains a cell. */
export function questionOf({ rows, columns }: Model, { row, column }: CellPlace) {
  return { sku: rows[row]?.sku ?? '', location: columns[column]?.code ?? '' };
}

interface RowProps {
  readonly brandId: string;
  readonly matrix: Model;
  readonly line: StockRow;
  readonly sizes: MatrixSizes;
  readonly index: number;
  /** The first and the last column in the document. */
  readonly from: number;
  readonly to: number;
  /** The column in the order of tabs; -1: none of this row. */
  readonly entry: number;
  /** true: the address names the row. */
  readonly isCurrent: boolean;
}

/** A row of the matrix. Rendered again only when the visible columns or its own marks change. */
export const MatrixRow = memo(function MatrixRow(props: RowProps) {
  const { brandId, matrix, line, sizes, index, from, to, entry, isCurrent } = props;
  const hasSides = sizes.sides.length > 0;
  return (
    <tr
      data-row
      aria-rowindex={index + 2}
      aria-current={isCurrent || undefined}
      style={{ height: sizes.row }}
    >
      <th scope="row" aria-colindex={1} title={line.sku}>
        <span className="matrix-name mono">{line.sku}</span>
        <span className="matrix-side-note">{hasSides ? line.values : <RowState row={line} />}</span>
      </th>
      {hasSides && (
        <>
          <td aria-colindex={2}>
            <RowState row={line} />
          </td>
          <td aria-colindex={3} data-figure>
            {line.price}
          </td>
        </>
      )}
      {from > 0 && <td aria-hidden="true" />}
      {Array.from({ length: to - from + 1 }, (_, offset) => from + offset).map((column) => (
        <td key={column} aria-colindex={column + sizes.sides.length + 2} data-figure>
          <Cell
            brandId={brandId}
            matrix={matrix}
            row={index}
            column={column}
            tabIndex={column === entry ? 0 : -1}
          />
        </td>
      ))}
      {to < matrix.columns.length - 1 && <td aria-hidden="true" />}
    </tr>
  );
});

interface CellProps extends CellPlace, Pick<RowProps, 'brandId' | 'matrix'> {
  readonly tabIndex: number;
}

const Cell = memo(function Cell({ brandId, matrix, row, column, tabIndex }: CellProps) {
  const { text, label, tone } = cellOf(matrix, { row, column });
  const question = new URLSearchParams(questionOf(matrix, { row, column }));
  return (
    <a
      href={`/console/brands/${brandId}/explain?${question}`}
      data-cell={`${row}:${column}`}
      data-tone={tone}
      aria-label={label}
      tabIndex={tabIndex}
    >
      {text}
    </a>
  );
});

/** The availability of a row with its rule. The own stock of a product with variants has none. */
function RowState({ row: { availability, rule, isActive } }: { readonly row: StockRow }) {
  return (
    <>
      {!isActive && <StateMark tone="off">inactive</StateMark>}{' '}
      {(availability.status !== null || rule === '') && <AvailabilityMark status={availability.status} />}{' '}
      <span className="soft">{rule}</span>
    </>
  );
}

interface NoteProps {
  readonly matrix: Model;
  /** The cell under the pointer or with the focus; null: none yet. */
  readonly place: CellPlace | null;
}

/** A line below the matrix with everything about one cell. Screen readers have the same in the cell's name. */
export function CellNote({ matrix: { rows, columns }, place }: NoteProps) {
  const row = place === null ? undefined : rows[place.row];
  const column = place === null ? undefined : columns[place.column];
  if (place === null || row === undefined || column === undefined)
    return (
      <p className="matrix-note soft">Arrows, j and k move between the quantities; Enter explains one.</p>
    );
  const level = row.levels[place.column];
  return (
    <p className="matrix-note" aria-hidden="true">
      <span className="mono">{row.sku}</span> at <span title={column.title}>{column.title}</span>:{' '}
      <strong>{describe(level)}</strong>
      {level !== undefined && (
        <span className="soft">
          , as of <Moment at={level.source_updated_at} />
        </span>
      )}
    </p>
  );
}
