import { getRouteApi, Link } from '@tanstack/react-router';
import { useMayChange } from '../../api/session.ts';
import { useAllPages, useApi } from '../../api/use-api.ts';
import { isWorse } from '../../parts/activity.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { changeText, FigureTiles, shareText, type Tile } from '../../parts/figure-tiles.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread } from '../../parts/thread.tsx';
import { History } from '../audit/history.tsx';
import { OwnLimits } from '../limits/own-limits.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyRefusals } from './key-refusals.tsx';
import { type Key, nameOfState, stateOf, toneOfState } from './key-state.ts';
import { KeyTraffic } from './key-traffic.tsx';
import { beginOf, daysObserved, type Usage } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys/$keyId');
const refreshMs = 10_000;

/** One key: what it is, what it is used for, and what can be done with it. */
export function KeyPage() {
  const { brandId, keyId } = route.useParams();
  const { days = '7' } = route.useSearch();
  const key = useApi('getApiKey', { path: [keyId] }, { refreshMs });
  const since = new Date(Date.now() - 48 * 3_600_000).toISOString();
  const usage = useAllPages(
    'listKeyUsage',
    { path: [keyId], query: { step: 'hour', from: `${since.slice(0, 13)}:00:00.000Z` } },
    { refreshMs },
  );
  return (
    <Page
      title={key.data?.name ?? (key.isError ? keyId : '…')}
      actions={key.data !== undefined && <KeyActions brandId={brandId} apiKey={key.data} />}
      aside={
        key.data !== undefined && (
          <>
            <KeyFacts brandId={brandId} apiKey={key.data} />
            <UnusedScopes brandId={brandId} apiKey={key.data} />
          </>
        )
      }
    >
      <Loaded query={key}>
        {(data) => (
          <>
            {usage.data && <FigureTiles tiles={tilesOf(data, usage.data.rows)} />}
            <section className="section" aria-labelledby="traffic">
              <KeyTraffic brandId={brandId} keyId={keyId} span={days} />
            </section>
            <OwnLimits brandId={brandId} keyId={keyId} />
            <KeyRefusals brandId={brandId} keyId={keyId} />
            <History type="api_key" id={keyId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The requests of a key in the last 24 hours, against the 24 before. */
function tilesOf({ key_id, brand_id }: Key, rows: readonly Usage[]): readonly Tile[] {
  const base = `/brands/${brand_id}`;
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
  const sumOf = (some: readonly Usage[]) => ({
    requests: some.reduce((sum, { requests }) => sum + requests, 0),
    unserved: some.reduce((sum, { refused, failed }) => sum + refused + failed, 0),
    denied: some.reduce((sum, { denied }) => sum + denied, 0),
  });
  const now = sumOf(rows.filter(({ at }) => at > dayAgo));
  const before = sumOf(rows.filter(({ at }) => at <= dayAgo));
  return [
    {
      label: 'Requests, 24 hours',
      value: figure(now.requests),
      note: changeText(now.requests, before.requests),
      to: `${base}/keys/${key_id}`,
      search: { days: '1' },
    },
    {
      label: 'Refused, denied or failed',
      value: shareText(now.unserved, now.requests),
      note: changeText(now.unserved, before.unserved),
      tone: isWorse(now, before) ? 'bad' : undefined,
      to: `${base}/refusals`,
      search: { key_id },
    },
    {
      label: 'Denied by limits',
      value: figure(now.denied),
      note: changeText(now.denied, before.denied),
      tone: now.denied > 0 ? 'warn' : undefined,
      to: `${base}/limits`,
      search: { key: key_id },
    },
  ];
}

interface Props {
  readonly brandId: string;
  readonly apiKey: Key;
}

/** The facts of a key, and the keys that it shares its Idempotency-Keys with. */
function KeyFacts({ brandId, apiKey }: Props) {
  const state = stateOf(apiKey);
  return (
    <section className="section" aria-labelledby="facts">
      <h2 id="facts" className="visually-hidden">
        Key
      </h2>
      <Facts
        items={{
          State: (
            <>
              <StateMark tone={toneOfState[state]}>{nameOfState[state]}</StateMark>{' '}
              {apiKey.revoked_at !== null && <Moment at={apiKey.revoked_at} />}
            </>
          ),
          Key: <CopyableId id={apiKey.key_id} />,
          'Last used': (
            <>
              <Moment at={apiKey.last_used_at} /> <span className="soft mono">{apiKey.last_used_from}</span>
            </>
          ),
          'Last refused': (
            <>
              <Moment at={apiKey.last_refused_at} />{' '}
              <span className="soft mono">{apiKey.last_refused_code}</span>
            </>
          ),
          Expires: <Moment at={apiKey.expires_at} />,
          Created: <Moment at={apiKey.created_at} />,
        }}
      />
      {apiKey.lineage_key_ids.length > 1 && (
        <>
          <h2>Lineage, oldest first</h2>
          <Thread
            label="Lineage, oldest first"
            steps={apiKey.lineage_key_ids.map((id) => ({
              key: id,
              kind: id === apiKey.key_id ? 'this key' : 'key',
              tone: id === apiKey.key_id ? 'good' : 'off',
              content: (
                <Link
                  to="/brands/$brandId/keys/$keyId"
                  params={{ brandId, keyId: id }}
                  className="mono"
                  data-row-link
                >
                  {id}
                </Link>
              ),
            }))}
          />
        </>
      )}
    </section>
  );
}

/** The scopes of a key, and which of them no request of the last 90 days needed, or since the key was issued. */
function UnusedScopes({ brandId, apiKey }: Props) {
  const from = new Date(beginOf('90')).toISOString().slice(0, 10);
  const usage = useAllPages('listKeyUsage', { path: [apiKey.key_id], query: { step: 'day', from } });
  const days = daysObserved(apiKey.created_at);
  const mayChange = useMayChange();
  return (
    <section className="section" aria-labelledby="scopes">
      <h2 id="scopes">Scopes</h2>
      <Loaded query={usage}>
        {({ rows }) => {
          const used = apiKey.scopes.filter(
            (one) => days === null || rows.some(({ scope }) => scope === one),
          );
          const isReplaceable = mayChange && stateOf(apiKey) !== 'revoked' && used.length > 0;
          return (
            <div className="section">
              <ul className="scope-list">
                {apiKey.scopes.map((scope) => (
                  <li key={scope}>
                    <span className="mono">{scope}</span>
                    {!used.includes(scope) && <span className="soft">unused for {days ?? 0} days</span>}
                  </li>
                ))}
              </ul>
              {used.length < apiKey.scopes.length && isReplaceable && (
                <p>
                  <Link
                    to="/brands/$brandId/keys/new"
                    params={{ brandId }}
                    search={{ replaces: apiKey.key_id, scopes: used.join(',') }}
                  >
                    Create a narrower successor
                  </Link>
                </p>
              )}
            </div>
          );
        }}
      </Loaded>
    </section>
  );
}
