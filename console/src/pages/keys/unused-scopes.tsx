import { Link } from '@tanstack/react-router';
import { useMayChange } from '../../api/session.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { type Key, stateOf } from './key-state.ts';
import { messages } from './messages.ts';
import { beginOf, daysObserved, unusedScopes } from './usage-sums.ts';

interface Props {
  readonly brandId: string;
  readonly apiKey: Key;
}

const words = messages.unused;

/** The scopes of a key, and which of them no request of the last 90 days needed, or since the key was issued. */
export function UnusedScopes({ brandId, apiKey }: Props) {
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
                    {unused.includes(scope) && <span className="soft">{words.mark(days ?? 0)}</span>}
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
                    {words.narrower}
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
