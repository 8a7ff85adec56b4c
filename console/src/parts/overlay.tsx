import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { messages } from './messages.ts';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  /** Absent: only the content closes it. */
  readonly onClose?: () => void;
  /** true: the title is for screen readers only. */
  readonly isTitleHidden?: boolean;
  /** Receives the focus, which returns to where it was. Default: the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** Receives the focus when it closes. Default: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** A dialog over the page. Escape and a click next to it close it. */
export function Overlay(props: Props) {
  const { title, isOpen, onClose, isTitleHidden = false, initialFocus, finalFocus, children } = props;
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog" initialFocus={initialFocus} finalFocus={finalFocus}>
          <div className={isTitleHidden ? 'visually-hidden' : 'dialog-head'}>
            <Dialog.Title>{title}</Dialog.Title>
            {onClose !== undefined && (
              <Dialog.Close className="button" data-kind="plain">
                {messages.close}
              </Dialog.Close>
            )}
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
