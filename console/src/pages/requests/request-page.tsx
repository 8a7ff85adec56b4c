import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Thread } from '../../parts/thread.tsx';
import { messages } from './messages.ts';
import { TraceContent } from './trace-content.tsx';
import type { TraceEntry } from './trace-entry.ts';

const route = getRouteApi('/requests/$requestId');

/** Everything that a request has written, each id a link. */
export function RequestPage() {
  const { requestId } = route.useParams();
  const request = useApi('getRequest', { path: [requestId] });
  const isUnknown = request.error?.status === 404;
  return (
    <Page title={messages.title} tabTitle={messages.tabTitle(requestId)} lead={messages.lead}>
      <div className="section">
        <Facts items={[[messages.id, <CopyableId key="id" id={requestId} />]]} />
        {isUnknown ? (
          <EmptyNote title={messages.empty} text={messages.emptyText} />
        ) : (
          <Loaded query={request}>
            {({ entries }) => (
              <Thread
                label={messages.label}
                steps={(entries as unknown as readonly TraceEntry[]).map((entry, index) => ({
                  key: String(index),
                  kind: messages.kinds[entry.kind],
                  content: <TraceContent entry={entry} />,
                }))}
              />
            )}
          </Loaded>
        )}
      </div>
    </Page>
  );
}
