import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Props {
  /** true: something would be lost. */
  readonly isOn: boolean;
  /** The loss. */
  readonly text: string;
}

/** Asks before the page is left, by a link, by Back or with the tab. A link with `ignoreBlocker` leaves at once. */
export function LeaveGuard({ isOn, text }: Props) {
  const latest = useRef(isOn);
  latest.current = isOn;
  const isAsked = useCallback(() => latest.current, []);
  const leavesPage = useCallback(
    ({ current, next }: { current: { pathname: string }; next: { pathname: string } }) =>
      latest.current && current.pathname !== next.pathname,
    [],
  );
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: leavesPage,
    enableBeforeUnload: isAsked,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title="Leave this page?"
      action="Leave"
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      onConfirm={async () => proceed?.()}
    >
      {text}
    </ConfirmDialog>
  );
}
