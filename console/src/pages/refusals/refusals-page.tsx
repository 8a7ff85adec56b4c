import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { useKeys } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { messages } from './messages.ts';
import { columnsWithKey } from './refusal-columns.tsx';

const route = getRouteApi('/brands/$brandId/refusals');
const words = messages.filters;
const refreshMs = 10_000;

/** The requests of a brand's keys that were refused or failed, newest first. */
export function RefusalsPage() {
  const { brandId } = route.useParams();
  const { page, ...filters } = route.useSearch();
  const query = { ...filters, page, per_page: 50 };
  const refusals = useApi('listRefusals', { path: [brandId], query }, { refreshMs });
  const keys = useKeys(brandId);
  const columns = useMemo(() => columnsWithKey(brandId), [brandId]);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className="section">
        <div className="filters">
          <FilterField
            label={words.key}
            name="key_id"
            value={filters.key_id}
            isFirst
            isMono
            suggestions={(keys.data?.data ?? []).map(({ key_id, name }) => ({ value: key_id, label: name }))}
          />
          <FilterField label={words.status} name="status" value={filters.status?.toString()} />
          <FilterField label={words.code} name="code" value={filters.code} isMono />
          <FilterField label={words.operation} name="operation" value={filters.operation} isMono />
          <FilterField label={words.from} name="from" value={filters.from} type="date" />
          <FilterField label={words.to} name="to" value={filters.to} type="date" />
        </div>
        <PagedTable
          query={refusals}
          caption={messages.table}
          columns={columns}
          rowKey={({ at, request_id, code }) => `${at} ${request_id} ${code}`}
          empty={
            <EmptyNote title={isFiltered ? messages.noneMatch : messages.empty}>
              {isFiltered ? (
                <Link to="/brands/$brandId/refusals" params={{ brandId }}>
                  {messages.clear}
                </Link>
              ) : (
                <p className="soft">{messages.emptyText}</p>
              )}
            </EmptyNote>
          }
        />
      </div>
    </Page>
  );
}
