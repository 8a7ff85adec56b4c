import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isWaitingForSignIn, onGateChange } from '../api/session-gate.ts';
import { messages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the token over the page when the session has ended. The page and what was typed into it stay. */
export function ExpiredDialog() {
  const isOpen = useSyncExternalStore(onGateChange, isWaitingForSignIn);
  const queries = useQueryClient();
  return (
    <Dialog.Root open={isOpen} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{messages.signIn.expiredTitle}</Dialog.Title>
          <Dialog.Description className="soft">{messages.signIn.expiredText}</Dialog.Description>
          <SignInForm onSignedIn={() => void queries.invalidateQueries({ queryKey: ['session'] })} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
