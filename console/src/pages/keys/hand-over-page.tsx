import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayChange } from '../../api/session.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Thread } from '../../parts/thread.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { handOverSteps } from './hand-over-steps.tsx';
import { LastUse } from './key-actions.tsx';
import { isRecentlyUsed, stateOf } from './key-state.ts';
import { messages } from './messages.ts';
import { dayAgo, hourlyByKey } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys/$keyId/hand-over');
const words = messages.handOver;
const refreshMs = 5000;

/** Leads from one key to its successor without an outage: both work until nobody uses the old one. */
export function HandOverPage() {
  const { brandId, keyId } = route.useParams();
  const old = useApi('getApiKey', { path: [keyId] }, { refreshMs });
  const newestId = old.data?.lineage_key_ids.at(-1);
  const hasSuccessor = newestId !== undefined && newestId !== keyId;
  const successor = useApi('getApiKey', { path: [newestId ?? ''] }, { refreshMs, isEnabled: hasSuccessor });
  const usage = useAllPages(
    'listBrandKeyUsage',
    { path: [brandId], query: { step: 'hour', from: dayAgo() } },
    { refreshMs },
  );
  const revoke = useChange('revokeApiKey');
  const [isAsked, setAsked] = useState(false);
  const mayChange = useMayChange();
  const toast = useToast();
  return (
    <Page title={words.title(old.data?.name ?? '…')} lead={words.lead}>
      <Loaded query={old}>
        {(key) => (
          <>
            <Thread
              label={words.steps}
              steps={handOverSteps({
                brandId,
                old: key,
                successor: hasSuccessor ? successor.data : undefined,
                hourly: hourlyByKey(usage.data?.rows ?? []),
              })}
            />
            {mayChange && hasSuccessor && stateOf(key) !== 'revoked' && (
              <p>
                <Button kind="danger" onClick={() => setAsked(true)}>
                  {words.revokeOld}
                </Button>
              </p>
            )}
            {stateOf(key) === 'revoked' && newestId !== undefined && (
              <p>
                <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: newestId }}>
                  {words.toSuccessor}
                </Link>
              </p>
            )}
            <ConfirmDialog
              title={messages.actions.revokeTitle(key.name)}
              action={words.revokeOld}
              isOpen={isAsked}
              onClose={() => setAsked(false)}
              typed={isRecentlyUsed(key) ? key.name : undefined}
              onConfirm={() =>
                revoke.mutateAsync({ path: [keyId] }).then(() => toast(messages.actions.revoked))
              }
            >
              <LastUse apiKey={key} otherwise={messages.actions.revokeText} />
            </ConfirmDialog>
          </>
        )}
      </Loaded>
    </Page>
  );
}
