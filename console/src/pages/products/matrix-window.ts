import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { CellPlace } from './matrix-model.ts';

/** Sizes in CSS pixels: rows, the head, the first column, those between it and the cells, and the columns of cells. */
export interface MatrixSizes {
  readonly row: number;
  readonly head: number;
  readonly name: number;
  readonly sides: readonly number[];
  readonly cell: number;
}

interface Extent {
  readonly rows: number;
  readonly columns: number;
}

/** Rows and columns beyond the visible ones, so that a slow scroll finds them there. */
const spareRows = 4;
const spareColumns = 2;

/** Returns the width of the columns before the cells, in CSS pixels. */
export function widthBeforeCells({ name, sides }: MatrixSizes): number {
  return sides.reduce((sum, width) => sum + width, name);
}

/** Returns the cell that a key leads to, within the matrix; null if it is not a key of the matrix. */
export function stepIn(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { row, column }: CellPlace,
  { rows, columns }: Extent,
  page: number,
): CellPlace | null {
  const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    Home: [ctrlKey ? -rows : 0, -columns],
    End: [ctrlKey ? rows : 0, columns],
    ...(!ctrlKey && {
      ArrowUp: [-1, 0],
      k: [-1, 0],
      ArrowDown: [1, 0],
      j: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-page, 0],
      PageDown: [page, 0],
    }),
  };
  const step = steps[key];
  if (step === undefined) return null;
  return {
    row: Math.max(0, Math.min(rows - 1, row + step[0])),
    column: Math.max(0, Math.min(columns - 1, column + step[1])),
  };
}

/**
 * Chooses the cells that are in the document, and keeps the focus while they come and go. `entry` is the cell in the order of
 * tabs: the active one, which keys move from, or the first in the document while the active one is not in it.
 */
export function useMatrixCells(
  frame: RefObject<HTMLElement | null>,
  sizes: MatrixSizes,
  extent: Extent,
  current: CellPlace | null,
) {
  const [active, setActive] = useState<CellPlace>(current ?? { row: 0, column: 0 });
  const wanted = useRef<CellPlace | null>(null);
  const focused = useRef<Element | null>(null);
  const getScrollElement = () => frame.current;
  const vertical = useVirtualizer({
    getScrollElement,
    count: extent.rows,
    estimateSize: () => sizes.row,
    overscan: spareRows,
    paddingStart: sizes.head,
    scrollPaddingStart: sizes.head,
  });
  const horizontal = useVirtualizer({
    getScrollElement,
    horizontal: true,
    count: extent.columns,
    estimateSize: () => sizes.cell,
    overscan: spareColumns,
    paddingStart: widthBeforeCells(sizes),
    scrollPaddingStart: sizes.name,
  });
  const rows = vertical.getVirtualItems().map(({ index }) => index);
  const columns = horizontal.getVirtualItems().map(({ index }) => index);

  /** Scrolls to a cell and focuses it. */
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
  const entry = isActiveShown ? active : { row: rows[0] ?? 0, column: columns[0] ?? 0 };
  return { rows, columns, active, entry, setActive, moveTo };
}
