import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMayChange } from '../../api/session.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { keyColumns } from './key-columns.tsx';
import { messages } from './messages.ts';
import { dayAgo, hourlyByKey } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys');
const filters = [undefined, 'active', 'expired', 'revoked'] as const;
const refreshMs = 10_000;

/** The keys of a brand, with what each has been used for. */
export function KeysPage() {
  const { brandId } = route.useParams();
  const { state, page } = route.useSearch();
  const keys = useApi(
    'listApiKeys',
    { path: [brandId], query: { state, page, per_page: 50 } },
    { refreshMs },
  );
  const usage = useAllPages(
    'listBrandKeyUsage',
    { path: [brandId], query: { step: 'hour', from: dayAgo() } },
    { refreshMs },
  );
  const columns = useMemo(
    () => keyColumns(brandId, hourlyByKey(usage.data?.rows ?? [])),
    [brandId, usage.data],
  );
  const mayChange = useMayChange();
  const create = mayChange && (
    <Link to="/brands/$brandId/keys/new" params={{ brandId }} className="button" data-kind="primary">
      {messages.create}
    </Link>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={create}>
      <div className="section">
        <Segments
          label={messages.filter}
          choices={filters.map((filter) => ({
            label: messages.states[filter ?? 'all'],
            search: { state: filter },
            isCurrent: filter === state,
          }))}
        />
        <PagedTable
          query={keys}
          caption={messages.table}
          columns={columns}
          rowKey={({ key_id }) => key_id}
          empty={
            state === undefined ? (
              <EmptyNote title={messages.empty} text={messages.emptyText}>
                {create}
              </EmptyNote>
            ) : (
              <EmptyNote title={messages.noneIn} />
            )
          }
        />
      </div>
    </Page>
  );
}
