import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button } from './button.tsx';
import { EmptyNote } from './empty-note.tsx';
import { useIsFiltered } from './filters.tsx';
import { Loaded } from './loaded.tsx';
import { messages } from './messages.ts';
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

interface Props<Row> {
  /** Names the table for screen readers, and its file. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** Longer lists keep only the rows near the window in the document. */
const virtualFrom = 100;
const rowHeight = 32;

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
              <Head key={column.header} {...column} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={rowKey(row)} data-row aria-rowindex={index + 2}>
                {columns.map(({ header, cell, align, isExtra }) => (
                  <td key={header} data-label={header} data-align={align} data-extra={isExtra}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

/** The head of a column; a link sorts by it, and again the other way. */
function Head({ header, align, isExtra, sort }: Column<never>) {
  const { sort: current } = useSearch({ strict: false }) as { sort?: string };
  const marks = { scope: 'col', 'data-align': align, 'data-extra': isExtra } as const;
  if (sort === undefined) return <th {...marks}>{header}</th>;
  const field = sort.replace('-', '');
  const isSorted = current?.replace('-', '') === field;
  const isDown = current?.startsWith('-');
  const next = isSorted ? (isDown ? field : `-${field}`) : sort;
  return (
    <th {...marks} aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <Link to="." search={((old: object) => ({ ...old, sort: next, page: undefined })) as never} replace>
        {header}
        <span aria-hidden="true">{isSorted ? (isDown ? ' ↓' : ' ↑') : ''}</span>
      </Link>
    </th>
  );
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: Meta;
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
            <Pager meta={meta} frame={frame} caption={table.caption} />
          </div>
        )
      }
    </Loaded>
  );
}

interface Meta {
  readonly current_page: number;
  readonly per_page: number;
  readonly total: number;
  readonly last_page: number;
}

interface PagerProps {
  readonly meta: Meta;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly caption: string;
}

/** The exact number of rows, and links to the neighbouring pages of the list in the address's `page`. */
function Pager({ meta, frame, caption }: PagerProps) {
  const { current_page: page, per_page: size, total, last_page: last } = meta;
  return (
    <nav className="pager" aria-label={messages.pageOf(page, last)}>
      <span className="soft">
        {last <= 1
          ? messages.total(total)
          : messages.rows(Math.min((page - 1) * size + 1, total), Math.min(page * size, total), total)}
      </span>
      {page > 1 && <PageLink page={Math.min(page - 1, last)} rel="prev" label={messages.previous} />}
      {page < last && <PageLink page={page + 1} rel="next" label={messages.next} />}
      {last > 1 && <span className="soft">{messages.pageOf(page, last)}</span>}
      <Button kind="plain" title={messages.csvTitle} onClick={() => saveCsv(frame.current, caption)}>
        {messages.csv}
      </Button>
    </nav>
  );
}

interface LinkProps {
  readonly page: number;
  readonly rel: 'prev' | 'next';
  readonly label: string;
}

function PageLink({ page, rel, label }: LinkProps) {
  const search = (old: object) => ({ ...old, page: page === 1 ? undefined : page });
  return (
    <Link to="." className="button" rel={rel} search={search as never}>
      {label}
    </Link>
  );
}

/** Saves the rows that are shown as a file: instants in full, and ids that the page cuts. */
function saveCsv(frame: HTMLElement | null, caption: string): void {
  const rows = [...(frame?.querySelectorAll('tr') ?? [])].map((row) => [...row.cells].map(textOf));
  const text = rows.filter((cells) => cells.length > 0).map(csvRow);
  saveFile(text.join(''), `${caption.toLowerCase().replaceAll(' ', '-')}.csv`, 'text/csv');
}

function textOf(cell: HTMLTableCellElement): string {
  const at = cell.querySelector('time')?.dateTime;
  const text = (cell.innerText ?? '').replaceAll('\n', ' ').trim();
  const whole = cell.querySelector('[title]')?.getAttribute('title');
  return at ?? (text.endsWith('…') && whole ? `${text.replace(/\S*…$/, '')}${whole}` : text);
}
