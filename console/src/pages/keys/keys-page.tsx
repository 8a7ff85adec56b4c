import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import { ApiProblem } from '../../api/api-problem.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMayChange } from '../../api/session.ts';
import { useAllPages, useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { BrandFilter, ChoiceFilter, choicesOf, FilterBar, TextFilter } from '../../parts/filters.tsx';
import { brandColumn } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { counted } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { SparkLine } from '../../parts/spark-line.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';
import { isRecentlyUsed, type Key, nameOfState, stateOf, toneOfState } from './key-state.ts';
import { dayAgo, hourlyByKey } from './usage-sums.ts';

const stateNames = {
  active: 'Active',
  expiring: 'Expires within 30 days',
  expired: 'Expired',
  revoked: 'Revoked',
  unused: 'Unused for 90 days',
  refused: 'Refused in 24 hours',
  limited: 'With own limits',
  overlapping: 'Replaced one still active',
} as const;

const route = getRouteApi('/brands/$brandId/keys');
const allRoute = getRouteApi('/keys');
const refreshMs = 10_000;
const states = choicesOf(stateNames);

/** The keys of a brand, with what each has been used for. */
export function KeysPage() {
  const { brandId } = route.useParams();
  const mayChange = useMayChange();
  const usage = useAllPages(
    'listBrandKeyUsage',
    { path: [brandId], query: { step: 'hour', from: dayAgo() } },
    { refreshMs },
  );
  const columns = useMemo(() => keyColumns(hourlyByKey(usage.data?.rows ?? [])), [usage.data]);
  const create = mayChange && (
    <Link to="/brands/$brandId/keys/new" params={{ brandId }} className="button" data-kind="primary">
      New key
    </Link>
  );
  return (
    <Page title="Keys" lead="Last used and the last 24 hours are up to 10 seconds old." actions={create}>
      <KeyList filters={{ ...route.useSearch(), brand: Number(brandId) }} columns={columns} isOfBrand />
    </Page>
  );
}

const allColumns = keyColumns().toSpliced(1, 0, brandColumn);

/** The keys of all brands: those that expire, are unused, overlap, have own limits, or were refused. */
export function AllKeysPage() {
  return (
    <Page
      title="Keys"
      tabTitle="Keys of all brands"
      lead="Keys of all brands: those that expire soon, are unused, overlap, have own limits, or were refused."
    >
      <KeyList filters={allRoute.useSearch()} columns={allColumns} isOfBrand={false} />
    </Page>
  );
}

interface Props {
  readonly filters: ReturnType<typeof allRoute.useSearch>;
  readonly columns: readonly Column<Key>[];
  readonly isOfBrand: boolean;
}

function KeyList({ filters: { brand, q, state, sort, page }, columns, isOfBrand }: Props) {
  const query = { brand_id: brand, q, state, sort, page, per_page: 50 };
  const keys = useApi('listAllApiKeys', { query }, { refreshMs });
  const [selected, setSelected] = useState<ReadonlyMap<string, Key>>(new Map());
  const mayChange = useMayChange();

  const selection = {
    chosen: selected,
    onChange: setSelected,
    labelOf: ({ name }: Key) => `Select ${name}`,
    isChoosable: ({ revoked_at }: Key) => revoked_at === null,
  };

  return (
    <div className="section">
      <FilterBar>
        <TextFilter label="Name or id" name="q" value={q} />
        <ChoiceFilter label="State" name="state" value={state} choices={states} />
        {!isOfBrand && <BrandFilter value={brand} />}
      </FilterBar>
      {selected.size > 0 && <Revoke keys={[...selected.values()]} onDone={() => setSelected(new Map())} />}
      <PagedTable
        query={keys}
        caption="API keys"
        columns={columns}
        selection={mayChange ? selection : undefined}
        rowKey={({ key_id }) => key_id}
        noneMatch="No key matches the filters"
        empty={
          <EmptyNote
            title="No key yet"
            text="Create one key per integration, with only the scopes it uses."
          />
        }
      />
      <p className="hint only-wide">The dots of the scopes, from the left: {scopeNames.join(', ')}.</p>
    </div>
  );
}

/** Revokes the selected keys, after their number is typed if one of them may be in use. */
function Revoke({ keys, onDone }: { readonly keys: readonly Key[]; readonly onDone: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const used = keys.filter(isRecentlyUsed);

  async function revokeAll(): Promise<void> {
    try {
      for (const { key_id } of keys)
        await call('revokeApiKey', { path: [key_id] }).catch((problem: unknown) => {
          // Deleted meanwhile: it is revoked as well.
          if (!(problem instanceof ApiProblem && problem.status === 404)) throw problem;
        });
      toast(`${counted(keys.length, 'key is', 'keys are')} revoked.`);
      onDone();
    } finally {
      await queryClient.invalidateQueries();
    }
  }

  return (
    <div className="form-row">
      <strong>{counted(keys.length, 'key is', 'keys are')} selected</strong>
      <Button kind="danger" onClick={() => setAsked(true)}>
        Revoke them
      </Button>
      <Button kind="plain" onClick={onDone}>
        Select none
      </Button>
      <ConfirmDialog
        title={`Revoke ${counted(keys.length, 'key', 'keys')}?`}
        action="Revoke them"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        typed={used.length > 0 ? String(keys.length) : undefined}
        onConfirm={revokeAll}
      >
        <p>{keys.map(({ name }) => shownName(name)).join(', ')}</p>
        <p>
          {used.length > 0
            ? `${counted(used.length, 'of them was', 'of them were')} used in the last 7 days: what still uses it fails at once.`
            : 'Requests with this key are refused from now on. This cannot be undone.'}
        </p>
      </ConfirmDialog>
    </div>
  );
}

/** Returns the columns of a list of keys. `hourly`: the requests of the last 24 hours by key; absent: not shown. */
function keyColumns(hourly?: ReadonlyMap<string, readonly number[]>): readonly Column<Key>[] {
  return [
    {
      header: 'Name',
      text: ({ name }) => name,
      sort: 'name',
      cell: ({ brand_id, key_id, name }) => (
        <Link
          to="/brands/$brandId/keys/$keyId"
          params={{ brandId: String(brand_id), keyId: key_id }}
          title={key_id}
          data-row-link
        >
          {shownName(name)}
        </Link>
      ),
    },
    { header: 'Key id', text: ({ key_id }) => key_id, isInFilesOnly: true },
    {
      header: 'State',
      phone: 'state',
      text: stateOf,
      cell: (key) => {
        const state = stateOf(key);
        return <StateMark tone={toneOfState[state]}>{nameOfState[state]}</StateMark>;
      },
    },
    {
      header: 'Last used',
      phone: 'figure',
      sort: '-last_used_at',
      at: ({ last_used_at }) => last_used_at,
    },
    ...(hourly === undefined
      ? []
      : [
          {
            header: '24 hours',
            text: ({ key_id }: Key) => hourly.get(key_id)?.reduce((sum, value) => sum + value, 0),
            isExtra: true,
            cell: ({ key_id }: Key) => {
              const line = hourly.get(key_id);
              const total = line?.reduce((sum, value) => sum + value, 0) ?? 0;
              return line === undefined ? (
                <span className="soft">–</span>
              ) : (
                <SparkLine values={line.slice(0, -1)} label={counted(total, 'request', 'requests')} />
              );
            },
          },
        ]),
    {
      header: 'Last refused',
      sort: '-last_refused_at',
      isExtra: true,
      at: ({ last_refused_at }) => last_refused_at,
    },
    {
      header: 'Scopes',
      text: ({ scopes }) => scopes.join(' '),
      isExtra: true,
      cell: ({ scopes }) => <ScopeDots scopes={scopes} />,
    },
    {
      header: 'Expires',
      sort: 'expires_at',
      isExtra: true,
      at: ({ expires_at }) => expires_at,
    },
  ];
}

/** A place for each scope, filled if the key has it. The title and the text for screen readers list them. */
function ScopeDots({ scopes }: { readonly scopes: readonly string[] }) {
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
