import { getRouteApi, Link } from '@tanstack/react-router';
import { addressOf, type ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import {
  BrandFilter,
  type Choice,
  ChoiceFilter,
  DayFilters,
  FilterBar,
  TextFilter,
} from '../../parts/filters.tsx';
import { RequestLink, ResourceLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/audit');
const words = messages.filters;
const signIns = [{ value: 'session', label: words.withoutSignIns }];

/** The changes on the internal surface. */
export function AuditPage() {
  const { page, brand, ...filter } = route.useSearch();
  const query = { ...filter, brand_id: brand };
  const entries = useApi(
    'listAuditEntries',
    { query: { ...query, page, per_page: 50 } },
    { refreshMs: 15_000 },
  );
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
        <FilterBar>
          <ChoiceFilter
            label={words.actor}
            name="actor"
            value={filter.actor}
            choices={suggested(shown.map(({ actor, actor_name }) => [actor, actor_name]))}
            isFree
          />
          <ChoiceFilter
            label={words.action}
            name="action"
            value={filter.action}
            choices={suggested(shown.map(({ action }) => [action, null]))}
            isFree
          />
          <TextFilter label={words.resource} name="resource" value={filter.resource} isMono />
          <BrandFilter value={brand} />
          <ChoiceFilter label={words.signIns} name="exclude" value={filter.exclude} choices={signIns} />
          <DayFilters from={filter.from} to={filter.to} />
        </FilterBar>
        <PagedTable
          query={entries}
          caption={messages.table}
          columns={auditColumns}
          rowKey={({ id }) => String(id)}
          empty={<EmptyNote title={isFiltered ? messages.noneMatch : messages.empty} />}
        />
      </div>
    </Page>
  );
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

type Entry = ResponseOf<'listAuditEntries'>['data'][number];

const auditColumns: readonly Column<Entry>[] = [
  { header: messages.at, cell: ({ at }) => <Moment at={at} /> },
  {
    header: messages.actor,
    cell: ({ actor, actor_name, address }) => (
      <span title={[actor_name && actor, address].filter(Boolean).join(', ') || undefined}>
        {actor_name ?? actor ?? <span className="soft">{messages.nobody}</span>}
      </span>
    ),
  },
  { header: messages.action, cell: ({ action }) => <strong>{action}</strong> },
  {
    header: messages.brand,
    isExtra: true,
    cell: ({ brand_id, brand_name }) =>
      brand_id !== null && (
        <Link to="/brands/$brandId" params={{ brandId: String(brand_id) }} title={String(brand_id)}>
          {shownName(brand_name ?? String(brand_id))}
        </Link>
      ),
  },
  {
    header: messages.resource,
    cell: ({ brand_id, resource_type, resource_id, resource_name }) => (
      <>
        {resource_name !== null && !['brand', 'api_key'].includes(resource_type) && (
          <span className="named">{shownName(resource_name)}</span>
        )}{' '}
        <ResourceLink brandId={brand_id} type={resource_type} id={resource_id} />
      </>
    ),
  },
  { header: messages.change, isExtra: true, cell: ({ details }) => <Changes details={details} /> },
  {
    header: messages.request,
    isExtra: true,
    cell: ({ request_id }) => request_id !== null && <RequestLink id={request_id} />,
  },
];

interface Props {
  readonly details: Readonly<Record<string, unknown>>;
}

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** The details of an entry: what changed from what to what, or what was created with. */
function Changes({ details }: Props) {
  const { changes, ...others } = details;
  const changed = Object.entries((changes ?? {}) as Record<string, Change>);
  const plain = Object.entries(others).filter(([, value]) => value !== null);
  return (
    <span data-wraps>
      {changed.map(([field, { from, to }]) => (
        <span key={field} className="change">
          <span className="soft">{field}</span> <del>{textOf(from)}</del> <ins>{textOf(to)}</ins>
        </span>
      ))}
      {plain.map(([field, value]) => (
        <span key={field} className="change">
          <span className="soft">{field}</span> {textOf(value)}
        </span>
      ))}
    </span>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length > 3 ? `${value.length} values` : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
