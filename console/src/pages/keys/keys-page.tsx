import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import { useMayChange } from '../../api/session.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { SparkLine } from '../../parts/spark-line.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Key, stateOf, toneOfState } from './key-state.ts';
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

/** Returns the columns of the list of keys. `hourly`: the requests of the last 24 hours by key. */
function keyColumns(brandId: string, hourly: ReadonlyMap<string, readonly number[]>): readonly Column<Key>[] {
  return [
    {
      header: messages.name,
      cell: ({ key_id, name }) => (
        <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: key_id }} data-row-link>
          {shownName(name)}
        </Link>
      ),
    },
    {
      header: messages.state,
      cell: (key) => {
        const state = stateOf(key);
        return <StateMark tone={toneOfState[state]}>{messages.marks[state]}</StateMark>;
      },
    },
    { header: messages.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
    {
      header: messages.hours24,
      isExtra: true,
      cell: ({ key_id }) => {
        const line = hourly.get(key_id);
        const total = line?.reduce((sum, value) => sum + value, 0) ?? 0;
        return line === undefined ? (
          <span className="soft">–</span>
        ) : (
          <SparkLine values={line} label={messages.requests(total)} />
        );
      },
    },
    { header: messages.scopes, isExtra: true, cell: ({ scopes }) => <ScopeDots scopes={scopes} /> },
    { header: messages.expires, isExtra: true, cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      header: messages.key,
      isExtra: true,
      cell: ({ key_id }) => <CopyableId id={key_id} short={`${key_id.slice(0, 12)}…`} />,
    },
  ];
}

interface Props {
  readonly scopes: readonly string[];
}

/** A place for each scope, filled if the key has it. The title and the text for screen readers list them. */
function ScopeDots({ scopes }: Props) {
  const held = scopeNames.filter((scope) => scopes.includes(scope));
  const words = held.length === scopeNames.length ? 'all scopes' : held.join(', ');
  return (
    <span className="scope-dots" title={words}>
      <span className="visually-hidden">{words}</span>
      {scopeNames.map((scope) => (
        <span key={scope} aria-hidden="true" data-held={scopes.includes(scope)}>
          {scopes.includes(scope) ? '●' : '·'}
        </span>
      ))}
    </span>
  );
}
