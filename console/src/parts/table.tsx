import { Popover } from '@base-ui/react/popover';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import {
  type ColumnDef,
  columnVisibilityFeature,
  functionalUpdate,
  rowSelectionFeature,
  rowSortingFeature,
  type Column as TableColumn,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import { setPreferences, usePreferences } from '../app/preferences.ts';
import { changed } from '../app/search-params.ts';
import { Button } from './button.tsx';
import { useIsFiltered } from './filters.tsx';
import { EmptyNote, Loaded } from './loaded.tsx';
import { counted, figure } from './messages.ts';
import { csvRow, saveFile } from './save-file.ts';
import { ScrollFrame } from './scroll-frame.tsx';

export interface Column<Row> {
  /** Also identifies the column. */
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for figures. */
  readonly align?: 'end';
  /** true: left out on narrow screens. */
  readonly isExtra?: boolean;
  /** The field by which the API sorts; `-`: descending first. */
  readonly sort?: string;
}

/** The rows that are chosen, also those of other pages. A click with Shift chooses a range. */
export interface Selection<Row> {
  readonly chosen: ReadonlyMap<string, Row>;
  readonly onChange: (chosen: ReadonlyMap<string, Row>) => void;
  readonly labelOf: (row: Row) => string;
  readonly isChoosable: (row: Row) => boolean;
}

interface Props<Row> {
  /** Names the table for screen readers, its file, and the columns that the reader has hidden. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selection?: Selection<Row> | undefined;
}

interface Meta {
  readonly marks: object;
  readonly sort: string | undefined;
}

/** The API sorts, by the address; a reader hides columns. */
const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: {} as Meta,
});

/** Longer lists keep only the rows near the window in the document. */
const virtualFrom = 100;
const rowHeight = 32;

/** A table with one line a row. `j` and `k` move between its rows, `x` chooses one; the first link of a row opens it. */
export function DataTable<Row extends object>({ caption, columns, rows, rowKey, selection }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { sort = '' } = useSearch({ strict: false }) as { sort?: string };
  const { hidden } = usePreferences();
  const chosen: ReadonlyMap<string, Row> = selection?.chosen ?? new Map();
  const sorted = columns.find(
    (column) => column.sort !== undefined && fieldOf(column.sort) === fieldOf(sort),
  );
  // Called, not rendered as components: new columns, as after each read, would replace every cell, and its focus would be lost.
  const cells = new Map(columns.map(({ header, cell }) => [header, cell]));
  const table = useTable({
    features,
    data: rows,
    columns: useMemo(() => columns.map(definitionOf), [columns]),
    getRowId: rowKey,
    manualSorting: true,
    enableSortingRemoval: false,
    enableRowSelection: ({ original }) => selection?.isChoosable(original) === true,
    state: {
      columnVisibility: Object.fromEntries((hidden[caption] ?? []).map((header) => [header, false])),
      rowSelection: Object.fromEntries([...chosen.keys()].map((id) => [id, true])),
      sorting: sorted === undefined ? [] : [{ id: sorted.header, desc: sort.startsWith('-') }],
    },
    onRowSelectionChange: (update) => {
      const next = functionalUpdate(update, table.state.rowSelection);
      const known = new Map([...chosen, ...rows.map((row) => [rowKey(row), row] as const)]);
      selection?.onChange(new Map([...known].filter(([id]) => next[id])));
    },
  });
  const all = table.getRowModel().rows;
  const isVirtual = all.length > virtualFrom;
  const virtual = useWindowVirtualizer({
    count: isVirtual ? all.length : 0,
    estimateSize: () => rowHeight,
    overscan: 20,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const before = isVirtual ? (items[0]?.start ?? 0) - virtual.options.scrollMargin : 0;
  const end = (items.at(-1)?.end ?? 0) - virtual.options.scrollMargin;
  const after = isVirtual ? virtual.getTotalSize() - end : 0;
  const shown = isVirtual ? items.flatMap(({ index }) => all[index] ?? []) : all;

  return (
    <ScrollFrame label={caption}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {table.getVisibleLeafColumns().map((column) => (
              <Head key={column.id} column={column} />
            ))}
            {selection && (
              <th scope="col" data-choice>
                <input
                  type="checkbox"
                  aria-label="Select all rows of this page"
                  checked={table.getIsAllRowsSelected()}
                  ref={(box) => {
                    if (box !== null) box.indeterminate = table.getIsSomeRowsSelected();
                  }}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map((row) => (
            <tr key={row.id} data-row aria-rowindex={row.index + 2}>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id} data-label={cell.column.id} {...cell.column.columnDef.meta?.marks}>
                  {cells.get(cell.column.id)?.(row.original)}
                </td>
              ))}
              {selection && (
                <td data-label="Select" data-choice>
                  {row.getCanSelect() && (
                    <input
                      type="checkbox"
                      data-row-select
                      aria-label={selection.labelOf(row.original)}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  )}
                </td>
              )}
            </tr>
          ))}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function definitionOf<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  const { header, align, isExtra, sort } = column;
  return {
    id: header,
    header,
    enableSorting: sort !== undefined,
    sortDescFirst: sort?.startsWith('-') ?? false,
    meta: { marks: { 'data-align': align, 'data-extra': isExtra }, sort: sort && fieldOf(sort) },
  };
}

const fieldOf = (sort: string) => sort.replace('-', '');

/** The head of a column; a link sorts by it, and again the other way. */
function Head<Row extends object>({ column }: { readonly column: TableColumn<typeof features, Row> }) {
  const { marks, sort } = column.columnDef.meta ?? {};
  if (sort === undefined)
    return (
      <th scope="col" {...marks}>
        {column.id}
      </th>
    );
  const order = column.getIsSorted();
  const next = column.getNextSortingOrder() === 'desc' ? `-${sort}` : sort;
  return (
    <th
      scope="col"
      {...marks}
      aria-sort={order === false ? 'none' : order === 'desc' ? 'descending' : 'ascending'}
    >
      <Link to="." search={changed({ sort: next, page: undefined })} replace>
        {column.id}
      </Link>
    </th>
  );
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: PageMeta;
}

interface PagedProps<Row extends object> extends Omit<Props<Row>, 'rows'> {
  readonly query: UseQueryResult<Page<Row>, Error>;
  /** Shown instead of a table without rows. A page behind the last one is none: its pager leads back. */
  readonly empty: ReactNode;
  /** The words for that when the address has filters. */
  readonly noneMatch?: string;
}

/** A page of a list: its rows, its pager and a file of what is shown, or the state of the read. */
export function PagedTable<Row extends object>({ query, empty, noneMatch, ...table }: PagedProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const isFiltered = useIsFiltered();
  return (
    <Loaded query={query}>
      {({ data, meta }) =>
        data.length === 0 && meta.current_page <= Math.max(meta.last_page, 1) ? (
          noneMatch !== undefined && isFiltered ? (
            <EmptyNote title={noneMatch} />
          ) : (
            empty
          )
        ) : (
          <div ref={frame}>
            <DataTable {...table} rows={data} />
            <Pager meta={meta}>
              <HideColumns {...table} />
              <Button
                kind="plain"
                title="Save these rows as CSV"
                onClick={() => saveCsv(frame.current, table.caption)}
              >
                CSV
              </Button>
            </Pager>
          </div>
        )
      }
    </Loaded>
  );
}

interface PageMeta {
  readonly current_page: number;
  readonly per_page: number;
  readonly total: number;
  readonly last_page: number;
}

interface PagerProps {
  readonly meta: PageMeta;
  readonly children: ReactNode;
}

/** The exact number of rows, and links to the neighbouring pages of the list in the address's `page`. */
function Pager({ meta, children }: PagerProps) {
  const { current_page: page, per_page: size, total, last_page: last } = meta;
  return (
    <nav className="pager" aria-label={`Page ${page} of ${last}`}>
      <span className="soft">
        {last <= 1
          ? counted(total, 'row', 'rows')
          : `${figure(Math.min((page - 1) * size + 1, total))} to ${figure(Math.min(page * size, total))} of ${figure(total)}`}
      </span>
      {page > 1 && <PageLink page={Math.min(page - 1, last)} rel="prev" label="Previous" />}
      {page < last && <PageLink page={page + 1} rel="next" label="Next" />}
      {last > 1 && (
        <span className="soft">
          Page {page} of {last}
        </span>
      )}
      {children}
    </nav>
  );
}

/** Hides columns of a table in this browser. The first one stays: it leads to the row. */
function HideColumns<Row>({ caption, columns }: Pick<Props<Row>, 'caption' | 'columns'>) {
  const { hidden } = usePreferences();
  const own = hidden[caption] ?? [];
  const toggle = (header: string) =>
    setPreferences({
      hidden: {
        ...hidden,
        [caption]: own.includes(header) ? own.filter((each) => each !== header) : [...own, header],
      },
    });
  return (
    <Popover.Root>
      <Popover.Trigger className="button" data-kind="plain">
        Columns
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="popup-place">
          <Popover.Popup className="popup" aria-label="Columns">
            {columns.slice(1).map(({ header }) => (
              <label key={header} className="choice">
                <input type="checkbox" checked={!own.includes(header)} onChange={() => toggle(header)} />
                {header}
              </label>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface LinkProps {
  readonly page: number;
  readonly rel: 'prev' | 'next';
  readonly label: string;
}

function PageLink({ page, rel, label }: LinkProps) {
  return (
    <Link to="." className="button" rel={rel} search={changed({ page: page === 1 ? undefined : page })}>
      {label}
    </Link>
  );
}

/** Saves the rows that are shown as a file: instants in full, and ids that the page cuts. */
function saveCsv(frame: HTMLElement | null, caption: string): void {
  const rows = [...(frame?.querySelectorAll('tr') ?? [])].map((row) =>
    [...row.querySelectorAll<HTMLTableCellElement>(':scope > :not([data-choice])')].map(textOf),
  );
  const text = rows.filter((cells) => cells.length > 0).map(csvRow);
  saveFile(text.join(''), `${caption.toLowerCase().replaceAll(' ', '-')}.csv`, 'text/csv');
}

function textOf(cell: HTMLTableCellElement): string {
  const at = cell.querySelector('time')?.dateTime;
  const text = (cell.innerText ?? '').replaceAll('\n', ' ').trim();
  const whole = cell.querySelector('[title]')?.getAttribute('title');
  return at ?? (text.endsWith('…') && whole ? `${text.replace(/\S*…$/, '')}${whole}` : text);
}
