import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { ScrollFrame } from './scroll-frame.tsx';

export interface Column<Row> {
  /** Also identifies the column. */
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
}

/** Longer lists keep only the rows near the window in the document. */
const virtualFrom = 100;
const rowHeight = 30;

/** A table with one line a row. `j` and `k` move between its rows; the first link of a row opens it. */
export function DataTable<Row extends object>({ caption, columns, rows, rowKey }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const isVirtual = rows.length > virtualFrom;
  const virtual = useWindowVirtualizer({
    count: isVirtual ? rows.length : 0,
    estimateSize: () => rowHeight,
    overscan: 20,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const before = isVirtual ? (items[0]?.start ?? 0) - virtual.options.scrollMargin : 0;
  const end = (items.at(-1)?.end ?? 0) - virtual.options.scrollMargin;
  const after = isVirtual ? virtual.getTotalSize() - end : 0;
  const shown = isVirtual ? items.map(({ index }) => index) : rows.map((_, index) => index);

  return (
    <ScrollFrame label={caption}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" {...cellMarks(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <Space height={before} />}
          {shown.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={rowKey(row)} data-row aria-rowindex={index + 2}>
                {columns.map((column) => (
                  <td key={column.header} data-label={column.header} {...cellMarks(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <Space height={after} />}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function cellMarks({ align, isExtra }: Pick<Column<never>, 'align' | 'isExtra'>) {
  return { 'data-align': align, 'data-extra': isExtra };
}

/** The place of the rows that are not in the document. */
function Space({ height }: { readonly height: number }) {
  return <tr style={{ height }} />;
}
