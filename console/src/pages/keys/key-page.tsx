import { getRouteApi, Link } from '@tanstack/react-router';
import { useMayChange } from '../../api/session.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread } from '../../parts/thread.tsx';
import { OwnLimits } from '../limits/own-limits.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyRefusals } from './key-refusals.tsx';
import { type Key, stateOf, toneOfState } from './key-state.ts';
import { KeyTraffic } from './key-traffic.tsx';
import { messages } from './messages.ts';
import { beginOf, daysObserved, unusedScopes } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys/$keyId');
const refreshMs = 10_000;

/** One key: what it is, what it is used for, and what can be done with it. */
export function KeyPage() {
  const { brandId, keyId } = route.useParams();
  const { days = '7' } = route.useSearch();
  const key = useApi('getApiKey', { path: [keyId] }, { refreshMs });
  return (
    <Page
      title={key.data?.name ?? '…'}
      actions={key.data !== undefined && <KeyActions brandId={brandId} apiKey={key.data} />}
    >
      <Loaded query={key}>
        {(data) => (
          <div className="columns">
            <KeyFacts brandId={brandId} apiKey={data} />
            <UnusedScopes brandId={brandId} apiKey={data} />
          </div>
        )}
      </Loaded>
      <section className="section" aria-labelledby="traffic">
        <h2 id="traffic">{messages.traffic.title}</h2>
        <KeyTraffic keyId={keyId} span={days} />
      </section>
      {key.data !== undefined && <OwnLimits brandId={brandId} keyId={keyId} />}
      <KeyRefusals brandId={brandId} keyId={keyId} />
    </Page>
  );
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
      <h2 id="facts">{messages.facts}</h2>
      <Facts
        items={[
          [
            messages.state,
            <span key="state">
              <StateMark tone={toneOfState[state]}>{messages.marks[state]}</StateMark>{' '}
              {apiKey.revoked_at !== null && <Moment at={apiKey.revoked_at} />}
            </span>,
          ],
          [messages.key, <CopyableId key="key" id={apiKey.key_id} />],
          [
            messages.lastUsed,
            <span key="used">
              <Moment at={apiKey.last_used_at} />{' '}
              {apiKey.last_used_from !== null && <span className="soft mono">{apiKey.last_used_from}</span>}
            </span>,
          ],
          [
            messages.lastRefused,
            <span key="refused">
              <Moment at={apiKey.last_refused_at} />{' '}
              {apiKey.last_refused_code !== null && (
                <span className="soft mono">{apiKey.last_refused_code}</span>
              )}
            </span>,
          ],
          [messages.expires, <Moment key="expires" at={apiKey.expires_at} />],
          [messages.created, <Moment key="created" at={apiKey.created_at} />],
        ]}
      />
      {apiKey.lineage_key_ids.length > 1 && (
        <>
          <h2>{messages.lineage}</h2>
          <Thread
            label={messages.lineage}
            steps={apiKey.lineage_key_ids.map((id) => ({
              key: id,
              kind: id === apiKey.key_id ? messages.thisKey : messages.otherKey,
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
      <h2 id="scopes">{messages.scopes}</h2>
      <Loaded query={usage}>
        {({ rows }) => {
          const unused = days === null ? [] : unusedScopes(apiKey.scopes, rows);
          const used = apiKey.scopes.filter((scope) => !unused.includes(scope));
          const isReplaceable = mayChange && stateOf(apiKey) !== 'revoked' && used.length > 0;
          return (
            <div className="section">
              <ul className="scope-list">
                {apiKey.scopes.map((scope) => (
                  <li key={scope}>
                    <span className="mono">{scope}</span>
                    {unused.includes(scope) && (
                      <span className="soft">{messages.unused.mark(days ?? 0)}</span>
                    )}
                  </li>
                ))}
              </ul>
              {unused.length > 0 && isReplaceable && (
                <p>
                  <Link
                    to="/brands/$brandId/keys/new"
                    params={{ brandId }}
                    search={{ replaces: apiKey.key_id, scopes: used.join(',') }}
                  >
                    {messages.unused.narrower}
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
