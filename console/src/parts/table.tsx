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
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import type { ListPage } from '../api/use-api.ts';
import { usePreferences } from '../app/preferences.ts';
import { changed } from '../app/search-params.ts';
import { type Column, phonePlaces, shownIn } from './column.tsx';
import { CsvButton } from './csv-button.tsx';
import { useIsFiltered } from './filters.tsx';
import { EmptyNote, Loaded } from './loaded.tsx';
import { HideColumns, Pager, SortChoice } from './pager.tsx';
import { ScrollFrame } from './scroll-frame.tsx';

export type { Column } from './column.tsx';

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
  /** true: heads of columns with a `sort` change the order in the address. */
  readonly isSortable?: boolean;
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
export function DataTable<Row extends object>(props: Props<Row>) {
  const { caption, columns, rows, selection } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const table = useRowTable(props);
  // Called, not rendered as components: new columns, as after each read, would replace every cell, and its focus would be lost.
  const byHeader = new Map(columns.map((column) => [column.header, column]));
  const all = table.getRowModel().rows;
  const near = useNearRows(all.length, body);
  return (
    <ScrollFrame label={caption}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
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
            {table.getVisibleLeafColumns().map((column) => (
              <Head key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {near.before > 0 && <tr style={{ height: near.before }} />}
          {all.slice(near.from, near.to).map((row) => (
            <tr key={row.id} data-row aria-rowindex={row.index + 2}>
              {selection && (
                <td data-choice>
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
              {row.getVisibleCells().map(({ id, column }) => (
                <td key={id} data-label={column.id} {...column.columnDef.meta?.marks}>
                  {shownIn(byHeader.get(column.id) as Column<Row>, row.original)}
                </td>
              ))}
            </tr>
          ))}
          {near.after > 0 && <tr style={{ height: near.after }} />}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

/** The state of a table: its order is in the address, its hidden columns in the preferences, the chosen rows with the caller. */
function useRowTable<Row extends object>({
  caption,
  columns,
  rows,
  rowKey,
  selection,
  isSortable = false,
}: Props<Row>) {
  const usual = columns.find(({ isUsualSort }) => isUsualSort)?.sort ?? '';
  const { sort = usual } = useSearch({ strict: false }) as { sort?: string };
  const { hidden } = usePreferences();
  const chosen: ReadonlyMap<string, Row> = selection?.chosen ?? new Map();
  const sorted = columns.find(
    (column) => column.sort !== undefined && fieldOf(column.sort) === fieldOf(sort),
  );
  const table = useTable({
    features,
    data: rows,
    columns: useMemo(() => definitionsOf(columns, isSortable), [columns, isSortable]),
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
  return table;
}

/** Returns the rows to render, `from` up to `to`, and the heights of what comes before and after, in CSS pixels. */
function useNearRows(count: number, body: RefObject<HTMLElement | null>) {
  const isVirtual = count > virtualFrom;
  const virtual = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => rowHeight,
    overscan: 20,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  if (!isVirtual) return { from: 0, to: count, before: 0, after: 0 };
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const { scrollMargin } = virtual.options;
  return {
    from: first?.index ?? 0,
    to: (last?.index ?? -1) + 1,
    before: (first?.start ?? 0) - scrollMargin,
    after: virtual.getTotalSize() - ((last?.end ?? 0) - scrollMargin),
  };
}

function definitionsOf<Row extends object>(
  columns: readonly Column<Row>[],
  isSortable: boolean,
): ColumnDef<typeof features, Row>[] {
  const places = phonePlaces(columns);
  return columns
    .filter(({ isInFilesOnly }) => !isInFilesOnly)
    .map(({ header, align, isExtra, sort }) => ({
      id: header,
      header,
      enableSorting: isSortable && sort !== undefined,
      sortDescFirst: sort?.startsWith('-') ?? false,
      meta: {
        marks: { 'data-align': align, 'data-extra': isExtra, 'data-phone': places.get(header) },
        sort: isSortable && sort !== undefined ? fieldOf(sort) : undefined,
      },
    }));
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
      <Link to="." search={changed({ sort: next, page: undefined, not_understood: undefined })} replace>
        {column.id}
      </Link>
    </th>
  );
}

interface PagedProps<Row extends object> extends Omit<Props<Row>, 'rows'> {
  readonly query: UseQueryResult<ListPage<Row>, Error>;
  /** Shown instead of a table without rows. A page behind the last one is none: its pager leads back. */
  readonly empty: ReactNode;
  /** The words for that when the address has filters. */
  readonly noneMatch?: string;
  /** Replaces the file of the rows, where the server writes one. */
  readonly csv?: ReactNode;
}

/** A page of a list: its rows, its pager and a file of all that match, or the state of the read. */
export function PagedTable<Row extends object>({ query, empty, noneMatch, csv, ...table }: PagedProps<Row>) {
  const isFiltered = useIsFiltered();
  return (
    <Loaded query={query}>
      {(page) => {
        if (page.data.length === 0 && page.meta.current_page <= Math.max(page.meta.last_page, 1))
          return noneMatch !== undefined && isFiltered ? <EmptyNote title={noneMatch} /> : empty;
        return (
          <>
            <SortChoice {...table} />
            <DataTable {...table} rows={page.data} isSortable />
            <Pager meta={page.meta}>
              <HideColumns {...table} />
              {csv ?? <CsvButton {...table} page={page} />}
            </Pager>
          </>
        );
      }}
    </Loaded>
  );
}
