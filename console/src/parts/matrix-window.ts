import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Tone } from './state-mark.tsx';

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
function windowOf(frame: HTMLElement, shape: WindowShape): MatrixWindow {
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
function scrollToCell(frame: HTMLElement, { row, column }: CellPlace, shape: WindowShape): void {
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
function keepSame(old: MatrixWindow, next: MatrixWindow): MatrixWindow {
  const rows = isSameSpan(old.rows, next.rows) ? old.rows : next.rows;
  const columns = isSameSpan(old.columns, next.columns) ? old.columns : next.columns;
  return rows === old.rows && columns === old.columns ? old : { rows, columns };
}

function isSameSpan(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Returns true if the span has the index. */
function isWithin({ from, to }: Span, index: number): boolean {
  return from <= index && index <= to;
}

/** The indexes of a cell. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface MatrixColumn {
  readonly key: string;
  readonly label: string;
  /** The long form of the label. */
  readonly title: string;
  /** `off`: the cells of the column do not count. */
  readonly tone?: Tone | undefined;
}

interface MatrixLine {
  readonly key: string;
  readonly name: string;
  /** More words about the row, next to its name. */
  readonly note: ReactNode;
  /** The content of the columns between the name and the cells. */
  readonly sides: readonly ReactNode[];
}

/** A column between the name of a row and its cells. */
interface SideColumn {
  readonly key: string;
  readonly label: string;
  /** CSS pixels. */
  readonly width: number;
  readonly isFigure?: boolean;
}

export interface MatrixCell {
  readonly text: string;
  /** Everything about the cell in words, for screen readers. */
  readonly label: string;
  readonly tone?: Tone | undefined;
}

/** Sizes in CSS pixels: rows, the head, the first column and the columns of cells. */
interface MatrixSizes {
  readonly row: number;
  readonly head: number;
  readonly name: number;
  readonly cell: number;
}

export interface MatrixShape {
  /** The head of the first column. */
  readonly corner: string;
  readonly rows: readonly MatrixLine[];
  readonly columns: readonly MatrixColumn[];
  readonly sides: readonly SideColumn[];
  readonly sizes: MatrixSizes;
  readonly cellOf: (place: CellPlace) => MatrixCell;
}

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
}

interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** The number of rows of a page. */
  readonly page: number;
}

/** Returns the cell that a key leads to, within the matrix; null if it is not a key of the matrix. */
export function stepIn(
  { key, ctrlKey }: Pressed,
  { row, column }: CellPlace,
  extent: Extent,
): CellPlace | null {
  const lastRow = extent.rows - 1;
  const lastColumn = extent.columns - 1;
  const to = (nextRow: number, nextColumn: number) => ({
    row: Math.max(0, Math.min(lastRow, nextRow)),
    column: Math.max(0, Math.min(lastColumn, nextColumn)),
  });
  if (key === 'Home') return to(ctrlKey ? 0 : row, 0);
  if (key === 'End') return to(ctrlKey ? lastRow : row, lastColumn);
  if (ctrlKey) return null;
  switch (key) {
    case 'ArrowUp':
    case 'k':
      return to(row - 1, column);
    case 'ArrowDown':
    case 'j':
      return to(row + 1, column);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'PageUp':
      return to(row - extent.page, column);
    case 'PageDown':
      return to(row + extent.page, column);
    default:
      return null;
  }
}

interface MatrixCells extends MatrixWindow {
  /** The cell that keys move from. */
  readonly active: CellPlace;
  /** The cell in the order of tabs: the active one, or the first in the document while the active one is not in it. */
  readonly entry: CellPlace;
  activate(place: CellPlace): void;
  /** Scrolls to a cell and focuses it. */
  moveTo(place: CellPlace): void;
}

const first: CellPlace = { row: 0, column: 0 };
const nothing: MatrixWindow = { rows: { from: 0, to: -1 }, columns: { from: 0, to: -1 } };

/**
 * Chooses the cells that are in the document, and keeps the focus while they come and go. One rendering for each scroll in both
 * directions: two virtual lists would render twice.
 */
export function useMatrixCells(
  frame: RefObject<HTMLElement | null>,
  shape: WindowShape,
  current: CellPlace | null,
): MatrixCells {
  const [shown, setShown] = useState(nothing);
  const [active, setActive] = useState<CellPlace>(current ?? first);
  const wanted = useRef<CellPlace | null>(null);
  const focused = useRef<Element | null>(null);
  const { rows, columns, sides, sizes } = shape;

  /** Rendered before the next paint: no empty cells appear. */
  function refresh(): void {
    const node = frame.current;
    if (node === null) return;
    const next = windowOf(node, shape);
    setShown((old) => keepSame(old, next));
  }

  function moveTo(place: CellPlace): void {
    if (frame.current === null) return;
    wanted.current = place;
    scrollToCell(frame.current, place, shape);
    setActive(place);
    refresh();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read what the dependencies name
  useLayoutEffect(() => {
    const node = frame.current;
    if (node === null) return;
    const onScroll = () => flushSync(refresh);
    node.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(refresh);
    observer.observe(node);
    refresh();
    return () => {
      node.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [rows, columns, sides, sizes]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address moves there
  useLayoutEffect(() => {
    if (current !== null) moveTo(current);
  }, [current?.row, current?.column]);

  // After each rendering: the wanted cell may have come into the document, the one with the focus may have left it.
  useLayoutEffect(() => {
    const node = frame.current;
    if (node === null) return;
    const cell = wanted.current;
    const target = cell && node.querySelector<HTMLElement>(`[data-cell="${cell.row}:${cell.column}"]`);
    if (target) {
      wanted.current = null;
      target.focus({ preventScroll: node.contains(document.activeElement) });
    } else if (focused.current?.isConnected === false && document.activeElement === document.body)
      node.focus({ preventScroll: true });
    focused.current = node.contains(document.activeElement) ? document.activeElement : null;
  });

  const isActiveShown = isWithin(shown.rows, active.row) && isWithin(shown.columns, active.column);
  return {
    ...shown,
    active,
    entry: isActiveShown ? active : { row: shown.rows.from, column: shown.columns.from },
    activate: (place) =>
      setActive((old) => (old.row === place.row && old.column === place.column ? old : place)),
    moveTo,
  };
}
