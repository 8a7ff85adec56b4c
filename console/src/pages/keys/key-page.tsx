import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { stateOf, toneOfState } from './key-state.ts';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/keys/$keyId');

/** One key. */
export function KeyPage() {
  const { keyId } = route.useParams();
  const key = useApi('getApiKey', { path: [keyId] });
  return (
    <div className="page">
      <PageHead title={key.data?.name ?? '…'} />
      <Loaded query={key}>
        {(data) => (
          <Facts
            items={[
              [
                messages.state,
                <StateMark key="state" tone={toneOfState[stateOf(data)]}>
                  {messages.marks[stateOf(data)]}
                </StateMark>,
              ],
              [messages.key, <CopyableId key="id" id={data.key_id} />],
              [messages.lastUsed, <Moment key="used" at={data.last_used_at} />],
              [messages.expires, <Moment key="expires" at={data.expires_at} />],
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}
