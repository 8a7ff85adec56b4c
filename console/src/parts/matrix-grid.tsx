import { type FocusEvent, type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useRef } from 'react';
import {
  type CellPlace,
  type MatrixLine,
  type MatrixShape,
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
  const { columns: shown } = cells;
  const [left, right] = restOf(shown, columns.length).map((count) => count * sizes.cell) as [number, number];
  const [above, below] = restOf(cells.rows, rows.length).map((count) => count * sizes.row) as [
    number,
    number,
  ];

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
          {cells.rows.map((index) => {
            const line = rows[index];
            return (
              line !== undefined && (
                <MatrixRow
                  key={line.key}
                  line={line}
                  sides={sides}
                  height={sizes.row}
                  cellOf={props.cellOf}
                  hrefOf={props.hrefOf}
                  index={index}
                  from={shown[0] ?? 0}
                  to={shown.at(-1) ?? -1}
                  hasMore={right > 0}
                  entry={index === cells.entry.row ? cells.entry.column : -1}
                  isCurrent={index === props.current?.row}
                />
              )
            );
          })}
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

/** Returns the numbers of indexes before and after those in the document. */
function restOf(shown: readonly number[], count: number): readonly [number, number] {
  return [shown[0] ?? 0, count - 1 - (shown.at(-1) ?? count - 1)];
}

interface MatrixRowProps extends Pick<Props, 'sides' | 'cellOf' | 'hrefOf'> {
  readonly line: MatrixLine;
  readonly height: number;
  readonly index: number;
  /** The first and the last column in the document. */
  readonly from: number;
  readonly to: number;
  /** true: there are columns after them. */
  readonly hasMore: boolean;
  /** The column in the order of tabs; -1: none of this row. */
  readonly entry: number;
  /** true: the address names the row. */
  readonly isCurrent: boolean;
}

/** A row of the matrix. Rendered again only when the visible columns or its own marks change. */
const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { line, sides, index, from, to } = props;
  return (
    <tr
      data-row
      aria-rowindex={index + 2}
      aria-current={props.isCurrent || undefined}
      style={{ height: props.height }}
    >
      <th scope="row" aria-colindex={1} title={line.name}>
        <span className="matrix-name mono">{line.name}</span>
        <span className="matrix-side-note">{line.note}</span>
      </th>
      {sides.map(({ key, isFigure }, side) => (
        <td key={key} aria-colindex={side + 2} data-figure={isFigure}>
          {line.sides[side]}
        </td>
      ))}
      {from > 0 && <td aria-hidden="true" />}
      {Array.from({ length: to - from + 1 }, (_, offset) => from + offset).map((column) => (
        <Cell
          key={column}
          row={index}
          column={column}
          colIndex={column + sides.length + 2}
          cellOf={props.cellOf}
          hrefOf={props.hrefOf}
          isEntry={column === props.entry}
        />
      ))}
      {props.hasMore && <td aria-hidden="true" />}
    </tr>
  );
});

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
