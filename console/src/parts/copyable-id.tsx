import { Button } from './button.tsx';
import { messages } from './messages.ts';
import { useCopied } from './use-copied.ts';

interface Props {
  readonly id: string;
  /** The visible form, if the whole one is too long. The whole one is copied. */
  readonly short?: string;
}

/** An id that copies itself. */
export function CopyableId({ id, short }: Props) {
  const [copy, isCopied] = useCopied(id);
  return (
    <button type="button" className="copyable mono" title={`${messages.copy} ${id}`} onClick={copy}>
      {short ?? id}
      <span className="copied" aria-live="polite">
        {isCopied ? messages.copied : ''}
      </span>
    </button>
  );
}

interface TextProps {
  readonly label: string;
  /** The words of the button. */
  readonly action: string;
  readonly text: string;
  /** Default: the text that is shown. */
  readonly copied?: string;
}

/** Several lines, and a button that copies them. */
export function CopyText({ label, action, text, copied = text }: TextProps) {
  const [copy, isCopied] = useCopied(copied);
  return (
    <div className="stored-text">
      <Button onClick={copy}>
        {action}
        <span className="copied" aria-live="polite">
          {isCopied ? messages.copied : ''}
        </span>
      </Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it */}
      <section aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
