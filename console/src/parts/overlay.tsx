import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { messages } from './messages.ts';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** true: the title is for screen readers only. */
  readonly isTitleHidden?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page. Escape and a click next to it close it. */
export function Overlay({ title, isOpen, onClose, isTitleHidden = false, children }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <div className={isTitleHidden ? 'visually-hidden' : 'dialog-head'}>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="button" data-kind="plain">
              {messages.close}
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
