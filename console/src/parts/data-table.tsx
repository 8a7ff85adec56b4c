import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import { ScrollFrame } from './scroll-frame.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for figures. */
  readonly align?: 'end';
  /** true: left out on narrow screens. */
  readonly isExtra?: boolean;
}

interface Props<Row> {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The row that the address names. */
  readonly currentKey?: string | undefined;
}

const features = tableFeatures({});
/** Longer lists keep only the rows near the window in the document. */
const virtualFrom = 100;
const rowHeight = 30;

/** A table with one line a row. `j` and `k` move between its rows; the first link of a row opens it. */
export function DataTable<Row extends object>({ caption, columns, rows, rowKey, currentKey }: Props<Row>) {
  const defs = useMemo(
    () =>
      columns.map(
        ({ id, header, cell }): ColumnDef<typeof features, Row> => ({
          id,
          header,
          cell: ({ row }) => cell(row.original),
        }),
      ),
    [columns],
  );
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const table = useTable({ features, columns: defs, data: rows as Row[], getRowId: rowKey });
  const body = useRef<HTMLTableSectionElement>(null);
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
      <table className="table" aria-rowcount={all.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" {...cellMarks(byId.get(header.id))}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          {before > 0 && <Space height={before} />}
          {shown.map((row) => (
            <tr
              key={row.id}
              data-row
              aria-rowindex={row.index + 2}
              aria-current={currentKey === row.id || undefined}
            >
              {row.getAllCells().map((cell) => (
                <td key={cell.id} {...cellMarks(byId.get(cell.column.id))}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <Space height={after} />}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function cellMarks(column: Pick<Column<never>, 'align' | 'isExtra'> | undefined) {
  return { 'data-align': column?.align, 'data-extra': column?.isExtra };
}

/** The place of the rows that are not in the document. */
function Space({ height }: { readonly height: number }) {
  return <tr style={{ height }} />;
}
