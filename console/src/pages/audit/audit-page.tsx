import { getRouteApi } from '@tanstack/react-router';
import { addressOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import {
  BrandFilter,
  type Choice,
  ChoiceFilter,
  FilterBar,
  TextFilter,
  TimeRange,
} from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/table.tsx';
import { auditColumns } from './history.tsx';

const route = getRouteApi('/audit');
type Entries = ReturnType<typeof useApi<'listAuditEntries'>>;
const signIns = [{ value: 'session', label: 'Left out' }];

/** The changes on the internal surface. */
export function AuditPage() {
  const { page, brand, sort, not_understood: _, ...filter } = route.useSearch();
  const query = { ...filter, brand_id: brand };
  const entries = useApi(
    'listAuditEntries',
    { query: { ...query, sort, page, per_page: 50 } },
    { refreshMs: 15_000 },
  );
  const shown = entries.data?.data ?? [];
  return (
    <Page title="Audit" lead="Every change on the internal surface: who, when, from where, on what.">
      <div className="section">
        <FilterBar>
          <ChoiceFilter
            label="Who"
            name="actor"
            value={filter.actor}
            choices={suggested(shown.map(({ actor, actor_name }) => [actor, actor_name]))}
            isFree
          />
          <ChoiceFilter
            label="Action"
            name="action"
            value={filter.action}
            choices={suggested(shown.map(({ action }) => [action, null]))}
            isFree
          />
          <TextFilter label="Resource id" name="resource_id" value={filter.resource_id} isMono />
          <BrandFilter value={brand} />
          <ChoiceFilter label="Sign-ins" name="exclude" value={filter.exclude} choices={signIns} />
          <TimeRange from={filter.from} to={filter.to} />
        </FilterBar>
        <PagedTable
          query={folded(entries, sort === 'at' ? 1 : -1)}
          caption="Changes"
          columns={auditColumns}
          rowKey={({ id }) => String(id)}
          noneMatch="No change matches the filters"
          empty={<EmptyNote title="Nothing has been changed yet" />}
          csv={
            <a
              className="button"
              data-kind="plain"
              href={addressOf('getAuditCsv', { query })}
              download="audit.csv"
            >
              CSV
            </a>
          }
        />
      </div>
    </Page>
  );
}

/** Shows the sign-ins of a person that follow each other as the latest one. `later`: the step to the next later row. */
function folded(entries: Entries, later: 1 | -1): Entries {
  const { data: page } = entries;
  if (page === undefined) return entries;
  const isFolded = (index: number) => {
    const [one, next] = [page.data[index], page.data[index + later]];
    return one?.action === 'session.create' && next?.action === one.action && next.actor === one.actor;
  };
  const data = { ...page, data: page.data.filter((_, index) => !isFolded(index)) };
  return { ...entries, data } as Entries;
}

/** Returns the different values of a page, sorted, with their names. */
function suggested(
  values: readonly (readonly [value: string | null, name: string | null])[],
): readonly Choice[] {
  const names = new Map(values.flatMap(([value, name]) => (value === null ? [] : [[value, name ?? value]])));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.value.localeCompare(b.value));
}
