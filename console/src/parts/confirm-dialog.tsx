import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { ErrorNote } from './loaded.tsx';

/** The question before a change that cannot be undone. */
export interface Question {
  readonly title: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** The button that does it. */
  readonly action: string;
  /** Rejects to keep the dialog open with the error. */
  readonly onConfirm: () => Promise<unknown>;
  /** Default: `danger`. */
  readonly kind?: 'danger' | 'primary';
  /** A word that has to be typed first. */
  readonly typed?: string | undefined;
}

interface Props extends Question {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Has the focus when it closes. Default: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null>;
}

/** Asks before a change that cannot be undone. */
export function ConfirmDialog(props: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open={props.isOpen} onOpenChange={(open) => !open && props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        {/* Not the button that does it: a second Enter would confirm. */}
        <AlertDialog.Popup
          className="dialog"
          initialFocus={props.typed === undefined ? cancel : true}
          finalFocus={props.finalFocus}
        >
          <ConfirmForm {...props} cancel={cancel} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface ButtonProps extends Question {
  /** The words of the button; default: those of the action. */
  readonly label?: string;
  readonly look?: 'primary' | 'danger' | 'plain' | undefined;
  readonly 'aria-label'?: string;
  readonly isDisabled?: boolean;
}

/** A button that asks before it does something. */
export function ConfirmButton({
  label,
  look,
  'aria-label': name,
  isDisabled = false,
  ...dialog
}: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={look} aria-label={name} disabled={isDisabled} onClick={() => setOpen(true)}>
        {label ?? dialog.action}
      </Button>
      <ConfirmDialog {...dialog} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

interface FormProps extends Props {
  readonly cancel: RefObject<HTMLButtonElement | null>;
}

function ConfirmForm(props: FormProps) {
  const { title, children, action, kind = 'danger', onClose, onConfirm, typed, cancel } = props;
  const [text, setText] = useState('');
  const { mutate, isIdle, isError, error } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const id = useId();

  function submit(event: FormEvent): void {
    event.preventDefault();
    // A form that has the dialog among its children in React's tree would be submitted, too.
    event.stopPropagation();
    mutate();
  }

  return (
    <form className="form" onSubmit={submit}>
      <AlertDialog.Title>{title}</AlertDialog.Title>
      <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
      {typed !== undefined && (
        <div className="field">
          <label htmlFor={id}>Type “{typed}” to confirm</label>
          <input
            id={id}
            className="input"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      {isError && <ErrorNote problem={error} />}
      <div className="form-row">
        <Button
          kind={kind}
          type="submit"
          disabled={!(isIdle || isError) || (typed !== undefined && text !== typed)}
        >
          {action}
        </Button>
        <AlertDialog.Close ref={cancel} className="button">
          Cancel
        </AlertDialog.Close>
      </div>
    </form>
  );
}
