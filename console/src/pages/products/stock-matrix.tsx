import { useNavigate } from '@tanstack/react-router';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  useRef,
  useState,
} from 'react';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useMedia } from '../../parts/shared-value.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { AvailabilityMark } from './availability.tsx';
import {
  type CellPlace,
  cellOf,
  describe,
  type StockMatrix as Model,
  type StockRow,
} from './matrix-model.ts';
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
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const sizes = useMedia('(max-width: 640px)') ? narrow : wide;
  const [pointed, setPointed] = useState<CellPlace | null>(null);
  const { rows, columns } = matrix;
  const row = rows.findIndex(({ key }) => key === variant);
  const column = columns.findIndex(({ code }) => code === location);
  const current = row === -1 && column === -1 ? null : { row: Math.max(0, row), column: Math.max(0, column) };
  const extent = { rows: rows.length, columns: columns.length };
  const cells = useMatrixCells(frame, sizes, extent, current);
  const { columns: shown } = cells;
  const [left, right] = restOf(shown, columns.length, sizes.cell);
  const [above, below] = restOf(cells.rows, rows.length, sizes.row);

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

  function onClick(event: MouseEvent): void {
    const place = placeOf(event.target);
    if (place === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void open(place);
  }

  /** The address keeps the cell, so that the way back leads to it. */
  async function open(place: CellPlace): Promise<void> {
    const search = { variant: rows[place.row]?.key, location: columns[place.column]?.code };
    await navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
    const question = questionOf(matrix, place);
    await navigate({ to: '/brands/$brandId/explain', params: { brandId }, search: question });
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
        onClick={onClick}
      >
        <table
          className="matrix"
          role="grid"
          aria-label="Quantity by variant and location"
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + sizes.sides.length + 1}
          style={{ width: widthBeforeCells(sizes) + columns.length * sizes.cell }}
        >
          <thead>
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
                    entry={index === cells.entry.row ? cells.entry.column : -1}
                    isCurrent={index === current?.row}
                  />
                )
              );
            })}
            {below > 0 && <tr style={{ height: below }} />}
          </tbody>
        </table>
      </div>
      <CellNote matrix={matrix} place={pointed} />
    </>
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

/** Returns the question that explains a cell. */
function questionOf({ rows, columns }: Model, { row, column }: CellPlace) {
  return { sku: rows[row]?.sku ?? '', location: columns[column]?.code ?? '' };
}

interface RowProps extends Pick<Props, 'brandId' | 'matrix'> {
  readonly line: StockRow;
  readonly sizes: MatrixSizes;
  readonly index: number;
  /** The first and the last column in the document. */
  readonly from: number;
  readonly to: number;
  /** The column in the order of tabs; -1: none of this row. */
  readonly entry: number;
  /** true: the address names the row. */
  readonly isCurrent: boolean;
}

/** A row of the matrix. Rendered again only when the visible columns or its own marks change. */
const MatrixRow = memo(function MatrixRow(props: RowProps) {
  const { brandId, matrix, line, sizes, index, from, to, entry, isCurrent } = props;
  const hasSides = sizes.sides.length > 0;
  return (
    <tr
      data-row
      aria-rowindex={index + 2}
      aria-current={isCurrent || undefined}
      style={{ height: sizes.row }}
    >
      <th scope="row" aria-colindex={1} title={line.sku}>
        <span className="matrix-name mono">{line.sku}</span>
        <span className="matrix-side-note">{hasSides ? line.values : <RowState row={line} />}</span>
      </th>
      {hasSides && (
        <>
          <td aria-colindex={2}>
            <RowState row={line} />
          </td>
          <td aria-colindex={3} data-figure>
            {line.price}
          </td>
        </>
      )}
      {from > 0 && <td aria-hidden="true" />}
      {Array.from({ length: to - from + 1 }, (_, offset) => from + offset).map((column) => (
        <td key={column} aria-colindex={column + sizes.sides.length + 2} data-figure>
          <Cell
            brandId={brandId}
            matrix={matrix}
            row={index}
            column={column}
            tabIndex={column === entry ? 0 : -1}
          />
        </td>
      ))}
      {to < matrix.columns.length - 1 && <td aria-hidden="true" />}
    </tr>
  );
});

interface CellProps extends CellPlace, Pick<Props, 'brandId' | 'matrix'> {
  readonly tabIndex: number;
}

const Cell = memo(function Cell({ brandId, matrix, row, column, tabIndex }: CellProps) {
  const { text, label, tone } = cellOf(matrix, { row, column });
  const question = new URLSearchParams(questionOf(matrix, { row, column }));
  return (
    <a
      href={`/console/brands/${brandId}/explain?${question}`}
      data-cell={`${row}:${column}`}
      data-tone={tone}
      aria-label={label}
      tabIndex={tabIndex}
    >
      {text}
    </a>
  );
});

/** The availability of a row with its rule. The own stock of a product with variants has none. */
function RowState({ row: { availability, rule, isActive } }: { readonly row: StockRow }) {
  return (
    <>
      {!isActive && <StateMark tone="off">inactive</StateMark>}{' '}
      {(availability.status !== null || rule === '') && <AvailabilityMark status={availability.status} />}{' '}
      <span className="soft">{rule}</span>
    </>
  );
}

interface NoteProps {
  readonly matrix: Model;
  /** The cell under the pointer or with the focus; null: none yet. */
  readonly place: CellPlace | null;
}

/** A line below the matrix with everything about one cell. Screen readers have the same in the cell's name. */
function CellNote({ matrix: { rows, columns }, place }: NoteProps) {
  const row = place === null ? undefined : rows[place.row];
  const column = place === null ? undefined : columns[place.column];
  if (place === null || row === undefined || column === undefined)
    return (
      <p className="matrix-note soft">Arrows, j and k move between the quantities; Enter explains one.</p>
    );
  const level = row.levels[place.column];
  return (
    <p className="matrix-note" aria-hidden="true">
      <span className="mono">{row.sku}</span> at <span title={column.title}>{column.title}</span>:{' '}
      <strong>{describe(level)}</strong>
      {level !== undefined && (
        <span className="soft">
          , as of <Moment at={level.source_updated_at} />
        </span>
      )}
    </p>
  );
}
