import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { ErrorNote } from './loaded.tsx';
import { messages } from './messages.ts';

interface Props {
  readonly onSubmit: () => void;
  /** true: something was typed that is lost when the page is left. */
  readonly isChanged: boolean;
  /** Why the last attempt failed, unless the fields say it. */
  readonly problem: Error | null;
  /** The button that submits; null: the user may only read. */
  readonly action: string | null;
  readonly isDisabled: boolean;
  /** Next to the button. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** Fields that are sent together. Leaving the page asks before what was typed is lost. */
export function Form({ onSubmit, isChanged, problem, action, isDisabled, more, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const isAnswerAwaited = useRef(false);
  // After each render: the fields say what is wrong with them once the answer is there.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!isAnswerAwaited.current || !wrong) return;
    isAnswerAwaited.current = false;
    wrong.focus();
  });
  return (
    <>
      {/* Outside of the form: events of a dialog bubble through React's tree, also its own submit. */}
      <LeaveGuard isOn={isChanged} text={messages.unsaved} />
      <form
        ref={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          isAnswerAwaited.current = true;
          onSubmit();
        }}
      >
        {children}
        {problem !== null && <ErrorNote problem={problem} />}
        {action !== null && (
          <div className="form-row">
            <Button kind="primary" type="submit" disabled={isDisabled}>
              {action}
            </Button>
            {more}
          </div>
        )}
      </form>
    </>
  );
}
