import { useNavigate } from '@tanstack/react-router';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useRef,
  useState,
} from 'react';
import { EmptyNote } from '../../parts/loaded.tsx';
import { useMedia } from '../../parts/shared-value.ts';
import type { CellPlace, StockMatrix as Model } from './matrix-model.ts';
import { CellNote, MatrixRow, questionOf } from './matrix-rows.tsx';
import { type MatrixSizes, stepIn, useMatrixCells, widthBeforeCells } from './matrix-window.ts';

interface Props {
  readonly brandId: string;
  readonly matrix: Model;
  /** The variant and the location of the address; their cell gets the focus. */
  readonly variant: string | undefined;
  readonly location: string | undefined;
}

const wide: MatrixSizes = { row: 30, head: 30, name: 300, sides: [290, 110], cell: 96 };
/** On a phone the state stands below the name, and there is no price. */
const narrow: MatrixSizes = { row: 46, head: 34, name: 148, sides: [], cell: 84 };

/**
 * The quantities of a product: a row for each variant, a column for each location. Only the cells near the visible ones are in
 * the document, in both directions. One is in the order of tabs; arrows, `j` and `k` move between them, Enter explains one.
 */
export function StockMatrix({ brandId, matrix, variant, location }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const sizes = useMedia('(max-width: 640px)') ? narrow : wide;
  const [pointed, setPointed] = useState<CellPlace | null>(null);
  const { rows, columns } = matrix;
  const row = rows.findIndex(({ key }) => key === variant);
  const column = columns.findIndex(({ code }) => code === location);
  const current = row === -1 && column === -1 ? null : { row: Math.max(0, row), column: Math.max(0, column) };
  const extent = { rows: rows.length, columns: columns.length };
  const cells = useMatrixCells(frame, sizes, extent, current);
  const open = useExplain(brandId, matrix);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / sizes.row) - 2);
    const next = stepIn(event, cells.active, extent, page);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    cells.moveTo(next);
  }

  function onFocus({ target }: FocusEvent): void {
    const place = placeOf(target);
    if (place === null) return;
    cells.setActive(place);
    setPointed(place);
  }

  function onPointerOver({ target }: PointerEvent): void {
    const place = placeOf(target);
    if (place !== null) setPointed(place);
  }

  if (columns.length === 0 && rows.length <= 1)
    return (
      <EmptyNote
        title="This product has no stock level"
        text="A level appears with the first adjustment or feed line for its SKU."
      />
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handlers are those of the cells in it */}
      <div
        ref={frame}
        className="matrix-frame"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onPointerOver={onPointerOver}
        onClick={open}
      >
        <Grid brandId={brandId} matrix={matrix} sizes={sizes} cells={cells} currentRow={current?.row} />
      </div>
      <CellNote matrix={matrix} place={pointed} />
    </>
  );
}

/** Returns the handler of clicks that explains a cell. The address keeps the cell, so that the way back leads to it. */
function useExplain(brandId: string, matrix: Model) {
  const navigate = useNavigate();
  async function explain(place: CellPlace): Promise<void> {
    const search = { variant: matrix.rows[place.row]?.key, location: matrix.columns[place.column]?.code };
    await navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
    const question = questionOf(matrix, place);
    await navigate({ to: '/brands/$brandId/explain', params: { brandId }, search: question });
  }
  return (event: MouseEvent): void => {
    const place = placeOf(event.target);
    if (place === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void explain(place);
  };
}

interface GridProps extends Pick<Props, 'brandId' | 'matrix'> {
  readonly sizes: MatrixSizes;
  readonly cells: ReturnType<typeof useMatrixCells>;
  /** The row that the address names. */
  readonly currentRow: number | undefined;
}

/** The table, with empty space for the rows and columns that are not in the document. */
function Grid({ brandId, matrix, sizes, cells, currentRow }: GridProps) {
  const { rows, columns } = matrix;
  const { columns: shown, entry } = cells;
  const [above, below] = restOf(cells.rows, rows.length, sizes.row);
  return (
    <table
      className="matrix"
      role="grid"
      aria-label="Quantity by variant and location"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + sizes.sides.length + 1}
      style={{ width: widthBeforeCells(sizes) + columns.length * sizes.cell }}
    >
      <thead>
        <GridHead columns={columns} sizes={sizes} shown={shown} />
      </thead>
      <tbody>
        {above > 0 && <tr style={{ height: above }} />}
        {cells.rows.map((index) => {
          const line = rows[index];
          return (
            line !== undefined && (
              <MatrixRow
                key={line.key}
                brandId={brandId}
                matrix={matrix}
                line={line}
                sizes={sizes}
                index={index}
                from={shown[0] ?? 0}
                to={shown.at(-1) ?? -1}
                entry={index === entry.row ? entry.column : -1}
                isCurrent={index === currentRow}
              />
            )
          );
        })}
        {below > 0 && <tr style={{ height: below }} />}
      </tbody>
    </table>
  );
}

interface HeadProps {
  readonly columns: Model['columns'];
  readonly sizes: MatrixSizes;
  /** The indexes of the columns in the document. */
  readonly shown: readonly number[];
}

function GridHead({ columns, sizes, shown }: HeadProps) {
  const [left, right] = restOf(shown, columns.length, sizes.cell);
  return (
    <tr aria-rowindex={1} style={{ height: sizes.head }}>
      <th scope="col" aria-colindex={1} style={{ width: sizes.name }}>
        SKU
      </th>
      {sizes.sides.map((width, index) => (
        <th
          key={width}
          scope="col"
          aria-colindex={index + 2}
          style={{ width }}
          data-figure={index > 0 || undefined}
        >
          {index === 0 ? 'Availability' : 'Price'}
        </th>
      ))}
      {left > 0 && <td aria-hidden="true" style={{ width: left }} />}
      {shown.map((index) => (
        <th
          key={index}
          scope="col"
          aria-colindex={index + sizes.sides.length + 2}
          style={{ width: sizes.cell }}
          title={columns[index]?.title}
          data-tone={columns[index]?.isOff ? 'off' : undefined}
          data-figure
        >
          {columns[index]?.code}
        </th>
      ))}
      {right > 0 && <td aria-hidden="true" style={{ width: right }} />}
    </tr>
  );
}

function placeOf(target: EventTarget): CellPlace | null {
  const { cell } = (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset ?? {};
  if (cell === undefined) return null;
  const [row = 0, column = 0] = cell.split(':').map(Number);
  return { row, column };
}

/** Returns the length of what comes before and after the indexes that are in the document, in CSS pixels. */
function restOf(shown: readonly number[], count: number, size: number): readonly [number, number] {
  return [size * (shown[0] ?? 0), size * (count - 1 - (shown.at(-1) ?? count - 1))];
}
