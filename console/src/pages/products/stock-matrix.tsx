import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { MatrixGrid } from '../../parts/matrix-grid.tsx';
import type { CellPlace } from '../../parts/matrix-window.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { AvailabilityMark } from './availability-mark.tsx';
import { cellOf, describe, type StockMatrix as Model, type StockRow } from './matrix-model.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly matrix: Model;
  /** The variant and the location of the address. */
  readonly variant: string | undefined;
  readonly location: string | undefined;
}

const words = messages.matrix;
const wide = { row: 30, head: 30, name: 300, cell: 96 };
const narrow = { row: 46, head: 34, name: 148, cell: 84 };
const sides = [
  { key: 'availability', label: messages.columns.availability, width: 290 },
  { key: 'price', label: messages.columns.price, width: 110, isFigure: true },
];

const noSides: typeof sides = [];

/** The quantities of a product: a row for each variant, a column for each location. Enter explains a quantity. */
export function StockMatrix({ brandId, matrix, variant, location }: Props) {
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const [pointed, setPointed] = useState<CellPlace | null>(null);
  const { rows, columns } = matrix;

  const lines = useMemo(
    () =>
      rows.map((row) => {
        const why = <RowState key="state" row={row} />;
        const sidesOfRow = isNarrow ? [] : [why, row.price];
        return { key: row.key, name: row.sku, note: isNarrow ? why : row.values, sides: sidesOfRow };
      }),
    [rows, isNarrow],
  );
  const searchOf = useCallback(
    ({ row, column }: CellPlace) => ({ sku: rows[row]?.sku ?? '', location: columns[column]?.key ?? '' }),
    [rows, columns],
  );
  const hrefOf = useCallback(
    (place: CellPlace) => `/console/brands/${brandId}/explain?${new URLSearchParams(searchOf(place))}`,
    [brandId, searchOf],
  );
  const current = useMemo(() => {
    const row = rows.findIndex(({ key }) => key === variant);
    const column = columns.findIndex(({ key }) => key === location);
    return row === -1 && column === -1 ? null : { row: Math.max(0, row), column: Math.max(0, column) };
  }, [rows, columns, variant, location]);
  /** The address keeps the cell, so that the way back leads to it. */
  const open = useCallback(
    async (place: CellPlace) => {
      const search = { variant: rows[place.row]?.key, location: columns[place.column]?.key };
      await navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
      await navigate({ to: '/brands/$brandId/explain', params: { brandId }, search: searchOf(place) });
    },
    [brandId, rows, columns, navigate, searchOf],
  );
  const contentOf = useCallback((place: CellPlace) => cellOf(matrix, place), [matrix]);
  const onOpen = useCallback((place: CellPlace) => void open(place), [open]);

  if (columns.length === 0 && rows.length <= 1)
    return <EmptyNote title={words.empty} text={words.emptyText} />;
  return (
    <>
      <MatrixGrid
        label={words.label}
        corner={messages.columns.sku}
        rows={lines}
        columns={columns}
        sides={isNarrow ? noSides : sides}
        sizes={isNarrow ? narrow : wide}
        cellOf={contentOf}
        current={current}
        hrefOf={hrefOf}
        onPoint={setPointed}
        onOpen={onOpen}
      />
      <CellNote matrix={matrix} place={pointed} />
    </>
  );
}

/** The availability of a row with its rule. The own stock of a product with variants has none. */
function RowState({ row: { availability, rule, isActive } }: { readonly row: StockRow }) {
  return (
    <>
      {!isActive && <StateMark tone="off">{messages.isInactive}</StateMark>}{' '}
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
    return <p className="matrix-note soft">{messages.matrix.hint}</p>;
  const level = row.levels[place.column];
  return (
    <p className="matrix-note" aria-hidden="true">
      <span className="mono">{row.sku}</span> {messages.matrix.at}{' '}
      <span title={column.title}>{column.title}</span>: <strong>{describe(level)}</strong>
      {level !== undefined && (
        <span className="soft">
          , {messages.matrix.source} <Moment at={level.source_updated_at} />
        </span>
      )}
    </p>
  );
}

const narrowScreen = matchMedia('(max-width: 640px)');

/** Returns true on screens as narrowScreen as a phone's. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrowScreen.addEventListener('change', listener);
      return () => narrowScreen.removeEventListener('change', listener);
    },
    () => narrowScreen.matches,
  );
}
