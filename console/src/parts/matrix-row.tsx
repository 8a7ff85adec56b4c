import { memo } from 'react';
import type { CellPlace, MatrixShape } from './matrix-types.ts';
import { indexesOf, type Span } from './matrix-window.ts';

interface Props {
  readonly shape: Pick<MatrixShape, 'rows' | 'sides' | 'sizes' | 'cellOf'>;
  readonly hrefOf: (place: CellPlace) => string;
  readonly index: number;
  /** The columns in the document. */
  readonly columns: Span;
  /** true: there are columns after them. */
  readonly hasMore: boolean;
  /** The column in the order of tabs; -1: none of this row. */
  readonly entry: number;
  /** true: the address names the row. */
  readonly isCurrent: boolean;
}

/** A row of the matrix. Rendered again only when the visible columns or its own marks change. */
export const MatrixRow = memo(
  function MatrixRow({ shape, hrefOf, index, columns, hasMore, entry, isCurrent }: Props) {
    const { rows, sides, sizes, cellOf } = shape;
    const row = rows[index];
    if (row === undefined) return null;
    return (
      <tr
        data-row
        aria-rowindex={index + 2}
        aria-current={isCurrent || undefined}
        style={{ height: sizes.row }}
      >
        <th scope="row" aria-colindex={1} title={row.name}>
          <span className="matrix-name mono">{row.name}</span>
          <span className="matrix-side-note">{row.note}</span>
        </th>
        {sides.map(({ key, isFigure }, side) => (
          <td key={key} aria-colindex={side + 2} data-figure={isFigure}>
            {row.sides[side]}
          </td>
        ))}
        {columns.from > 0 && <td aria-hidden="true" />}
        {indexesOf(columns).map((column) => (
          <Cell
            key={column}
            row={index}
            column={column}
            colIndex={column + sides.length + 2}
            cellOf={cellOf}
            hrefOf={hrefOf}
            isEntry={column === entry}
          />
        ))}
        {hasMore && <td aria-hidden="true" />}
      </tr>
    );
  },
  (before, after) =>
    before.index === after.index &&
    before.columns === after.columns &&
    before.entry === after.entry &&
    before.isCurrent === after.isCurrent &&
    before.hrefOf === after.hrefOf &&
    before.shape.rows === after.shape.rows &&
    before.shape.sizes === after.shape.sizes &&
    before.shape.cellOf === after.shape.cellOf,
);

interface CellProps extends CellPlace {
  readonly colIndex: number;
  readonly cellOf: MatrixShape['cellOf'];
  readonly hrefOf: (place: CellPlace) => string;
  readonly isEntry: boolean;
}

const Cell = memo(function Cell({ row, column, colIndex, cellOf, hrefOf, isEntry }: CellProps) {
  const { text, label, tone } = cellOf({ row, column });
  return (
    <td aria-colindex={colIndex} data-figure>
      <a
        href={hrefOf({ row, column })}
        data-cell={`${row}:${column}`}
        data-tone={tone}
        aria-label={label}
        tabIndex={isEntry ? 0 : -1}
      >
        {text}
      </a>
    </td>
  );
});
