import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { messages } from './messages.ts';
import { useCopied } from './use-copied.ts';

interface Props {
  /** null: the response that had it was lost, and a retry found only what was created. */
  readonly secret: string | null;
  /** The next step without the secret. */
  readonly lost: string;
}

/** A secret that is shown once, with a button that copies it. Until it was copied, leaving the page needs a confirmation. */
export function ShownSecret({ secret, lost }: Props) {
  const [copy, isCopied] = useCopied(secret ?? '');
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (isCopied) setKept(true);
  }, [isCopied]);
  if (secret === null)
    return (
      <div className="error-note" role="alert">
        <p>
          <strong>The secret was shown to nobody</strong>
        </p>
        <p>{lost}</p>
      </div>
    );
  return (
    <div className="secret">
      <LeaveGuard isOn={!isKept} text="The secret is shown only here. Nobody can show it again." />
      <code>{secret}</code>
      <Button kind="primary" onClick={copy}>
        {messages.copy}
      </Button>
      <span className="copied" aria-live="polite">
        {isCopied ? messages.copied : ''}
      </span>
    </div>
  );
}
