import { Link } from '@tanstack/react-router';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread } from '../../parts/thread.tsx';
import { type Key, stateOf, toneOfState } from './key-state.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly apiKey: Key;
}

/** The facts of a key, and the keys that it shares its Idempotency-Keys with. */
export function KeyFacts({ brandId, apiKey }: Props) {
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
