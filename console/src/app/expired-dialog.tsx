import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useIssuer } from '../api/session.ts';
import { useIsWaitingForSignIn } from '../api/session-gate.ts';
import { SignInForm, SingleSignOn } from './sign-in-page.tsx';

/** Asks for the token over the page when the session has ended. The page and what was typed into it stay. */
export function ExpiredDialog() {
  const isOpen = useIsWaitingForSignIn();
  const queries = useQueryClient();
  const issuer = useIssuer() ?? null;
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: ['session'] }), [queries]);
  return (
    <Dialog.Root open={isOpen} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>Your session has ended</Dialog.Title>
          <Dialog.Description className="soft">
            Sign in to go on. Nothing on this page is lost.
          </Dialog.Description>
          {issuer !== null && <SingleSignOn issuer={issuer} inNewTab onSignedIn={refresh} />}
          <SignInForm isFirst={issuer === null} onSignedIn={refresh} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
