import type { CellPlace } from './matrix-types.ts';

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
