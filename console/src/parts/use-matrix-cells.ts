import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CellPlace } from './matrix-types.ts';
import {
  isWithin,
  keepSame,
  type MatrixWindow,
  scrollToCell,
  type WindowShape,
  windowOf,
} from './matrix-window.ts';

export interface MatrixCells extends MatrixWindow {
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
