import { type FocusEvent, type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useRef } from 'react';
import {
  type CellPlace,
  indexesOf,
  type MatrixShape,
  type Span,
  stepIn,
  useMatrixCells,
  widthBeforeCells,
} from './matrix-window.ts';

interface Props extends MatrixShape {
  /** Names the table for screen readers. */
  readonly label: string;
  /** The cell that the address names; it gets the focus. null: none. */
  readonly current: CellPlace | null;
  /** The address of a cell's page. */
  readonly hrefOf: (place: CellPlace) => string;
  /** The pointer or the focus is at a cell. */
  readonly onPoint: (place: CellPlace) => void;
  /** Enter, or a click. */
  readonly onOpen: (place: CellPlace) => void;
}

/**
 * A table of quantities that keeps only the cells near the visible ones in the document, in both directions. Its head and its
 * first column stay visible. One cell is in the order of tabs; arrows, `j` and `k` move between cells.
 */
export const MatrixGrid = memo(function MatrixGrid(props: Props) {
  const { label, rows, columns, corner, sides, sizes } = props;
  const frame = useRef<HTMLDivElement>(null);
  const cells = useMatrixCells(frame, props, props.current);
  const before = widthBeforeCells(props);
  const shown = indexesOf(cells.columns);
  const left = cells.columns.from * sizes.cell;
  const right = (columns.length - 1 - cells.columns.to) * sizes.cell;
  const above = cells.rows.from * sizes.row;
  const below = (rows.length - 1 - cells.rows.to) * sizes.row;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / sizes.row) - 2);
    const next = stepIn(event, cells.active, { rows: rows.length, columns: columns.length, page });
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    cells.moveTo(next);
  }

  function onFocus({ target }: FocusEvent): void {
    const place = placeOf(target);
    if (place === null) return;
    cells.activate(place);
    props.onPoint(place);
  }

  function onPointerOver({ target }: PointerEvent): void {
    const place = placeOf(target);
    if (place !== null) props.onPoint(place);
  }

  function onClick(event: MouseEvent): void {
    const place = placeOf(event.target);
    if (place === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    props.onOpen(place);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers are those of the cells in it
    <div
      ref={frame}
      className="matrix-frame"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onPointerOver={onPointerOver}
      onClick={onClick}
    >
      <table
        className="matrix"
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + sides.length + 1}
        style={{ width: before + columns.length * sizes.cell }}
      >
        <thead>
          <tr aria-rowindex={1} style={{ height: sizes.head }}>
            <th scope="col" aria-colindex={1} style={{ width: sizes.name }}>
              {corner}
            </th>
            {sides.map(({ key, label: words, width, isFigure }, index) => (
              <th key={key} scope="col" aria-colindex={index + 2} style={{ width }} data-figure={isFigure}>
                {words}
              </th>
            ))}
            {left > 0 && <td aria-hidden="true" style={{ width: left }} />}
            {shown.map((index) => (
              <th
                key={columns[index]?.key}
                scope="col"
                aria-colindex={index + sides.length + 2}
                style={{ width: sizes.cell }}
                title={columns[index]?.title}
                data-tone={columns[index]?.tone}
                data-figure
              >
                {columns[index]?.label}
              </th>
            ))}
            {right > 0 && <td aria-hidden="true" style={{ width: right }} />}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr style={{ height: above }} />}
          {indexesOf(cells.rows).map((index) => (
            <MatrixRow
              key={rows[index]?.key}
              shape={props}
              hrefOf={props.hrefOf}
              index={index}
              columns={cells.columns}
              hasMore={right > 0}
              entry={index === cells.entry.row ? cells.entry.column : -1}
              isCurrent={index === props.current?.row}
            />
          ))}
          {below > 0 && <tr style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
});

function placeOf(target: EventTarget): CellPlace | null {
  const { cell } = (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset ?? {};
  if (cell === undefined) return null;
  const [row = 0, column = 0] = cell.split(':').map(Number);
  return { row, column };
}

interface MatrixRowProps {
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
const MatrixRow = memo(
  function MatrixRow({ shape, hrefOf, index, columns, hasMore, entry, isCurrent }: MatrixRowProps) {
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
