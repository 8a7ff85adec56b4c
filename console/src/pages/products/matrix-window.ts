import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Tone } from './state-mark.tsx';

/** The sizes and numbers that determine the window. */
type WindowShape = Pick<MatrixShape, 'rows' | 'columns' | 'sides' | 'sizes'>;

/** Rows and columns beyond the visible ones, so that a slow scroll finds them there. */
const spareRows = 4;
const spareColumns = 2;

/** Returns the width of the columns before the cells, in CSS pixels. */
export function widthBeforeCells({ sizes, sides }: WindowShape): number {
  return sizes.name + sides.reduce((sum, { width }) => sum + width, 0);
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

export interface MatrixLine {
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

interface MatrixCells {
  /** The indexes of the rows and columns in the document. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** The cell that keys move from. */
  readonly active: CellPlace;
  /** The cell in the order of tabs: the active one, or the first in the document while the active one is not in it. */
  readonly entry: CellPlace;
  activate(place: CellPlace): void;
  /** Scrolls to a cell and focuses it. */
  moveTo(place: CellPlace): void;
}

/** Chooses the cells that are in the document, and keeps the focus while they come and go. */
export function useMatrixCells(
  frame: RefObject<HTMLElement | null>,
  shape: WindowShape,
  current: CellPlace | null,
): MatrixCells {
  const [active, setActive] = useState<CellPlace>(current ?? { row: 0, column: 0 });
  const wanted = useRef<CellPlace | null>(null);
  const focused = useRef<Element | null>(null);
  const { sizes } = shape;
  const getScrollElement = () => frame.current;
  const vertical = useVirtualizer({
    getScrollElement,
    count: shape.rows.length,
    estimateSize: () => sizes.row,
    overscan: spareRows,
    paddingStart: sizes.head,
    scrollPaddingStart: sizes.head,
  });
  const horizontal = useVirtualizer({
    getScrollElement,
    horizontal: true,
    count: shape.columns.length,
    estimateSize: () => sizes.cell,
    overscan: spareColumns,
    paddingStart: widthBeforeCells(shape),
    scrollPaddingStart: sizes.name,
  });
  const rows = vertical.getVirtualItems().map(({ index }) => index);
  const columns = horizontal.getVirtualItems().map(({ index }) => index);

  function moveTo(place: CellPlace): void {
    wanted.current = place;
    vertical.scrollToIndex(place.row);
    // The first cells bring the columns before them into view as well.
    if (place.column === 0) horizontal.scrollToOffset(0);
    else horizontal.scrollToIndex(place.column);
    setActive({ ...place });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are remembered until they change
  useLayoutEffect(() => {
    vertical.measure();
    horizontal.measure();
  }, [sizes]);

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

  const isActiveShown = rows.includes(active.row) && columns.includes(active.column);
  return {
    rows,
    columns,
    active,
    entry: isActiveShown ? active : { row: rows[0] ?? 0, column: columns[0] ?? 0 },
    activate: (place) =>
      setActive((old) => (old.row === place.row && old.column === place.column ? old : place)),
    moveTo,
  };
}
