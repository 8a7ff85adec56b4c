import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { messages } from './messages.ts';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: ComponentProps<typeof Pager>['meta'];
}

interface Props<Row extends object> extends Omit<Parameters<typeof DataTable<Row>>[0], 'rows'> {
  readonly query: UseQueryResult<Page<Row>, Error>;
  /** Shown instead of a table without rows. A page behind the last one is none: its pager leads back. */
  readonly empty: ReactNode;
}

/** A page of a list: its rows and its pager, or the state of the read. */
export function PagedTable<Row extends object>({ query, empty, ...table }: Props<Row>) {
  return (
    <Loaded query={query}>
      {({ data, meta }) =>
        data.length === 0 && meta.current_page <= Math.max(meta.last_page, 1) ? (
          empty
        ) : (
          <>
            <DataTable {...table} rows={data} />
            <Pager meta={meta} />
          </>
        )
      }
    </Loaded>
  );
}

interface PagerProps {
  readonly meta: {
    readonly current_page: number;
    readonly per_page: number;
    readonly total: number;
    readonly last_page: number;
  };
}

/** The exact number of rows, and links to the neighbouring pages of the list in the address's `page`. */
function Pager({ meta: { current_page: page, per_page: size, total, last_page: last } }: PagerProps) {
  if (last <= 1) return <p className="pager soft">{messages.total(total)}</p>;
  return (
    <nav className="pager" aria-label={messages.pageOf(page, last)}>
      <span className="soft">
        {messages.rows(Math.min((page - 1) * size + 1, total), Math.min(page * size, total), total)}
      </span>
      {page > 1 && <PageLink page={Math.min(page - 1, last)} rel="prev" label={messages.previous} />}
      {page < last && <PageLink page={page + 1} rel="next" label={messages.next} />}
      <span className="soft">{messages.pageOf(page, last)}</span>
    </nav>
  );
}

interface LinkProps {
  readonly page: number;
  readonly rel: 'prev' | 'next';
  readonly label: string;
}

function PageLink({ page, rel, label }: LinkProps) {
  return (
    <Link
      to="."
      className="button"
      rel={rel}
      search={((search: object) => ({ ...search, page: page === 1 ? undefined : page })) as never}
    >
      {label}
    </Link>
  );
}
