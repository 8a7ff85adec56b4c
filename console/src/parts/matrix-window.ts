import type { CellPlace, MatrixShape } from './matrix-types.ts';

/** The rows and columns that are in the document, from the first to the last; `to` is -1 if there are none. */
export interface MatrixWindow {
  readonly rows: Span;
  readonly columns: Span;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The sizes and numbers that determine the window. */
export type WindowShape = Pick<MatrixShape, 'rows' | 'columns' | 'sides' | 'sizes'>;

/** Rows and columns beyond the visible ones, so that a slow scroll finds them there. */
const spareRows = 4;
const spareColumns = 2;

/** Returns the width of the columns before the cells, in CSS pixels. */
export function widthBeforeCells({ sizes, sides }: WindowShape): number {
  return sizes.name + sides.reduce((sum, { width }) => sum + width, 0);
}

/** Returns the window of a frame at its current size and position. All rows and columns have fixed sizes. */
export function windowOf(frame: HTMLElement, shape: WindowShape): MatrixWindow {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = frame;
  const { sizes, rows, columns } = shape;
  const before = widthBeforeCells(shape);
  const spanOf = (
    start: number,
    end: number,
    { size, count, spare }: { size: number; count: number; spare: number },
  ) => ({
    from: Math.max(0, Math.min(count, Math.floor(start / size)) - spare),
    to: Math.min(count - 1, Math.max(-1, Math.floor(end / size)) + spare),
  });
  return {
    rows: spanOf(scrollTop, scrollTop + clientHeight - sizes.head, {
      size: sizes.row,
      count: rows.length,
      spare: spareRows,
    }),
    columns: spanOf(scrollLeft + sizes.name - before, scrollLeft + clientWidth - before, {
      size: sizes.cell,
      count: columns.length,
      spare: spareColumns,
    }),
  };
}

/** Scrolls a frame as little as needed to show a cell next to the sticky head and the sticky first column. */
export function scrollToCell(frame: HTMLElement, { row, column }: CellPlace, shape: WindowShape): void {
  const { sizes } = shape;
  const top = row * sizes.row;
  const bottom = sizes.head + top + sizes.row;
  const cellLeft = widthBeforeCells(shape) + column * sizes.cell;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
  // The first cells bring the columns before them into view as well.
  if (column === 0) frame.scrollLeft = 0;
  else if (cellLeft - sizes.name < frame.scrollLeft) frame.scrollLeft = cellLeft - sizes.name;
  else if (cellLeft + sizes.cell > frame.scrollLeft + frame.clientWidth)
    frame.scrollLeft = cellLeft + sizes.cell - frame.clientWidth;
}

/** Returns the indexes of a span. */
export function indexesOf({ from, to }: Span): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}

/** Returns the new window with the parts of the old one that have not changed, so that only what changed is rendered. */
export function keepSame(old: MatrixWindow, next: MatrixWindow): MatrixWindow {
  const rows = isSameSpan(old.rows, next.rows) ? old.rows : next.rows;
  const columns = isSameSpan(old.columns, next.columns) ? old.columns : next.columns;
  return rows === old.rows && columns === old.columns ? old : { rows, columns };
}

function isSameSpan(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Returns true if the span has the index. */
export function isWithin({ from, to }: Span, index: number): boolean {
  return from <= index && index <= to;
}
