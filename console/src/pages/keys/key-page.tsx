import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyFacts } from './key-facts.tsx';
import { KeyRefusals } from './key-refusals.tsx';
import { KeyTraffic } from './key-traffic.tsx';
import { messages } from './messages.ts';
import { UnusedScopes } from './unused-scopes.tsx';

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
      <KeyRefusals brandId={brandId} keyId={keyId} />
    </Page>
  );
}
