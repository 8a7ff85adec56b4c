import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import type { Feed } from './line-results.ts';
import { messages } from './messages.ts';

const statuses = [undefined, 'queued', 'processing', 'completed', 'failed'] as const;

/** The filters of both lists of feeds, as the address has them. */
export interface FeedFilters {
  readonly status?: Exclude<(typeof statuses)[number], undefined> | undefined;
  readonly source?: string | undefined;
  readonly refused_lines?: boolean | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Props {
  readonly feeds: UseQueryResult<ResponseOf<'listAllFeeds'>, ApiProblem>;
  readonly columns: readonly Column<Feed>[];
  readonly filters: FeedFilters;
  /** A link to the list without filters. */
  readonly clear: ReactNode;
}

/** A list of feeds with its filters. */
export function FeedList({ feeds, columns, filters, clear }: Props) {
  const { status, source, from, to } = filters;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <div className="section">
      <Segments
        label={messages.status}
        choices={statuses.map((each) => ({
          label: messages.statuses[each ?? 'all'],
          search: { status: each },
          isCurrent: each === status,
        }))}
      />
      <Segments
        label={messages.lines}
        choices={[false, true].map((isOnly) => ({
          label: isOnly ? messages.withFailedLines : messages.anyLines,
          search: { refused_lines: isOnly ? 'true' : undefined },
          isCurrent: isOnly === (filters.refused_lines ?? false),
        }))}
      />
      <div className="filters">
        <FilterField label={messages.source} name="source" value={source} isFirst />
        <FilterField label={messages.from} name="from" value={from} type="date" />
        <FilterField label={messages.to} name="to" value={to} type="date" />
      </div>
      <PagedTable
        query={feeds}
        caption={messages.table}
        columns={columns}
        rowKey={({ feed_id }) => feed_id}
        empty={
          isFiltered ? (
            <EmptyNote title={messages.noneMatch}>{clear}</EmptyNote>
          ) : (
            <EmptyNote title={messages.empty} text={messages.emptyText} />
          )
        }
      />
    </div>
  );
}
