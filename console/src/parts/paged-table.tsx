import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';

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
