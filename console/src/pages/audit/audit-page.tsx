import { getRouteApi, Link } from '@tanstack/react-router';
import { addressOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField, type Suggestion, useBrandSuggestions } from '../../parts/filter-field.tsx';
import { FilterSelect } from '../../parts/filter-select.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { auditColumns } from './audit-columns.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/audit');
const words = messages.filters;
const signIns = [
  ['', words.withSignIns],
  ['session', words.withoutSignIns],
] as const;

/** The changes on the internal surface. */
export function AuditPage() {
  const { page, brand, ...filter } = route.useSearch();
  const query = { ...filter, brand_id: brand };
  const entries = useApi(
    'listAuditEntries',
    { query: { ...query, page, per_page: 50 } },
    { refreshMs: 15_000 },
  );
  const brands = useBrandSuggestions();
  const shown = entries.data?.data ?? [];
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        <a className="button" href={addressOf('getAuditCsv', { query })} download="audit.csv">
          {messages.csv}
        </a>
      }
    >
      <div className="section">
        <div className="filters">
          <FilterField
            label={words.actor}
            name="actor"
            value={filter.actor}
            isFirst
            suggestions={suggested(shown.map(({ actor, actor_name }) => [actor, actor_name]))}
          />
          <FilterField
            label={words.action}
            name="action"
            value={filter.action}
            suggestions={suggested(shown.map(({ action }) => [action, null]))}
          />
          <FilterField label={words.resource} name="resource" value={filter.resource} isMono />
          <FilterField label={words.brand} name="brand" value={brand?.toString()} suggestions={brands} />
          <FilterSelect label={words.signIns} name="exclude" value={filter.exclude} options={signIns} />
          <FilterField label={words.from} name="from" value={filter.from} type="date" />
          <FilterField label={words.to} name="to" value={filter.to} type="date" />
        </div>
        <PagedTable
          query={entries}
          caption={messages.table}
          columns={auditColumns}
          rowKey={({ id }) => String(id)}
          empty={
            <EmptyNote title={isFiltered ? messages.noneMatch : messages.empty}>
              {isFiltered && <Link to="/audit">{messages.clear}</Link>}
            </EmptyNote>
          }
        />
      </div>
    </Page>
  );
}

/** Returns the different values of a page, sorted, with their names. */
function suggested(
  values: readonly (readonly [value: string | null, name: string | null])[],
): readonly Suggestion[] {
  const names = new Map(values.flatMap(([value, name]) => (value === null ? [] : [[value, name ?? value]])));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.value.localeCompare(b.value));
}
