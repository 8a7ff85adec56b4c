import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { FilterBar, TextFilter } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { SparkLine } from '../../parts/spark-line.tsx';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';

type Brand = ResponseOf<'listBrands'>['data'][number];

const route = getRouteApi('/brands');

const columns: readonly Column<Brand>[] = [
  {
    header: 'Name',
    text: ({ name }) => name,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/brands/$brandId" params={{ brandId: String(id) }} data-row-link>
        {shownName(name)}
      </Link>
    ),
  },
  {
    header: 'Requests, 24 h',
    align: 'end',
    sort: '-requests_24h',
    text: ({ requests_24h }) => requests_24h,
    cell: ({ requests_24h, hourly_requests: line = [] }) => (
      <span className="use">
        {requests_24h > 0 && <SparkLine values={line} label={peakText(line)} />}
        {figure(requests_24h)}
      </span>
    ),
  },
  {
    header: 'Refused',
    text: ({ refused_24h }) => refused_24h,
    align: 'end',
    sort: '-refused_24h',
    cell: ({ refused_24h }) => <Count value={refused_24h} tone="bad" />,
  },
  {
    header: 'Denied (429)',
    text: ({ denied_24h }) => denied_24h,
    align: 'end',
    sort: '-denied_24h',
    cell: ({ denied_24h }) => <Count value={denied_24h} tone="warn" />,
  },
  {
    header: 'Failed lines',
    text: ({ failed_lines_24h }) => failed_lines_24h,
    align: 'end',
    sort: '-failed_lines_24h',
    cell: ({ failed_lines_24h }) => <Count value={failed_lines_24h} tone="warn" />,
  },
  {
    header: 'Products',
    align: 'end',
    isExtra: true,
    text: ({ summary }) => summary?.products ?? 0,
  },
  { header: 'Active keys', align: 'end', text: ({ summary }) => summary?.active_keys ?? 0 },
  { header: 'Last request', at: ({ summary }) => summary?.last_request_at, phone: 'state' },
  {
    header: 'Oldest open feed',
    at: ({ summary }) => summary?.oldest_feed_at,
    isExtra: true,
    cell: ({ summary }) => <Moment at={summary?.oldest_feed_at} absent="–" />,
  },
  {
    header: 'Latest day',
    text: ({ summary }) => summary?.latest_date,
    isExtra: true,
    cell: ({ summary }) => <span className="mono">{summary?.latest_date ?? '–'}</span>,
  },
  {
    header: 'Id',
    align: 'end',
    isExtra: true,
    isMono: true,
    text: ({ id }) => id,
  },
];

/** Returns what a line of requests by hour shows. */
function peakText(line: readonly number[]): string {
  return `at most ${counted(Math.max(0, ...line), 'request', 'requests')} an hour`;
}

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
      New brand
    </Link>
  );
  return (
    <Page title="Brands" lead="Each brand has its own catalog, learners and API keys." actions={create}>
      <FilterBar>
        <TextFilter label="Name or id" name="search" value={search} />
      </FilterBar>
      <PagedTable
        query={brands}
        caption="Brands"
        columns={columns}
        rowKey={({ id }) => String(id)}
        empty={
          search === undefined ? (
            <EmptyNote
              title="No brand yet"
              text="A brand is the first thing to create. Its API keys come next."
            >
              {create}
            </EmptyNote>
          ) : (
            <NoSuchBrand search={search} />
          )
        }
      />
    </Page>
  );
}

/** Says that no brand was found, and which ones may be meant. */
function NoSuchBrand({ search }: { readonly search: string }) {
  const { data } = useApi('search', { query: { q: search } });
  const similar = data?.similar ?? [];
  return (
    <EmptyNote title="No brand has this name">
      {similar.length > 0 && (
        <p>
          Did you mean{' '}
          {similar.map(({ id, title }, index) => (
            <Fragment key={id}>
              {index > 0 && ' or '}
              <Link to="/brands/$brandId" params={{ brandId: id }}>
                {shownName(title)}
              </Link>
            </Fragment>
          ))}
          ?
        </p>
      )}
    </EmptyNote>
  );
}
