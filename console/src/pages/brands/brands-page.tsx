import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { FilterBar, TextFilter } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { messages } from './messages.ts';

type Brand = ResponseOf<'listBrands'>['data'][number];

const route = getRouteApi('/brands');

const columns: readonly Column<Brand>[] = [
  {
    header: messages.name,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/brands/$brandId" params={{ brandId: String(id) }} data-row-link>
        {shownName(name)}
      </Link>
    ),
  },
  {
    header: messages.requests,
    align: 'end',
    sort: '-requests_24h',
    cell: ({ requests_24h }) => figure(requests_24h),
  },
  {
    header: messages.refused,
    align: 'end',
    sort: '-refused_24h',
    cell: ({ refused_24h }) => <Count value={refused_24h} tone="bad" />,
  },
  {
    header: messages.denied,
    align: 'end',
    sort: '-denied_24h',
    cell: ({ denied_24h }) => <Count value={denied_24h} tone="warn" />,
  },
  {
    header: messages.failedLines,
    align: 'end',
    sort: '-failed_lines_24h',
    cell: ({ failed_lines_24h }) => <Count value={failed_lines_24h} tone="warn" />,
  },
  {
    header: messages.products,
    align: 'end',
    isExtra: true,
    cell: ({ summary }) => figure(summary?.products ?? 0),
  },
  { header: messages.keys, align: 'end', cell: ({ summary }) => figure(summary?.active_keys ?? 0) },
  { header: messages.lastRequest, cell: ({ summary }) => <Moment at={summary?.last_request_at} /> },
  {
    header: messages.oldestFeed,
    isExtra: true,
    cell: ({ summary }) => <Moment at={summary?.oldest_feed_at} absent={messages.noFeed} />,
  },
  {
    header: messages.latestDay,
    isExtra: true,
    cell: ({ summary }) => <span className="mono">{summary?.latest_date ?? messages.noFeed}</span>,
  },
  { header: messages.id, align: 'end', isExtra: true, cell: ({ id }) => <span className="mono">{id}</span> },
];

function Count({ value, tone }: { readonly value: number; readonly tone: Tone }) {
  return value === 0 ? <span className="soft">–</span> : <StateMark tone={tone}>{figure(value)}</StateMark>;
}

/** All brands that the user may see. */
export function BrandsPage() {
  const { page, search, sort } = route.useSearch();
  const query = { q: search, sort, page, per_page: 50, include: 'summary' } as const;
  const brands = useApi('listBrands', { query }, { refreshMs: 15_000 });
  const create = useIsAdministrator() && (
    <Link to="/brands/new" className="button" data-kind="primary">
      {messages.create}
    </Link>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={create}>
      <FilterBar>
        <TextFilter label={messages.search} name="search" value={search} />
      </FilterBar>
      <PagedTable
        query={brands}
        caption={messages.table}
        columns={columns}
        rowKey={({ id }) => String(id)}
        empty={
          search === undefined ? (
            <EmptyNote title={messages.empty} text={messages.emptyText}>
              {create}
            </EmptyNote>
          ) : (
            <EmptyNote title={messages.noneFound} />
          )
        }
      />
    </Page>
  );
}
