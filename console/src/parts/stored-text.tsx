import { Button } from './button.tsx';
import { messages } from './messages.ts';
import { useCopied } from './use-copied.ts';

interface Props {
  /** Names the text for screen readers. */
  readonly label: string;
  /** The words of the button. */
  readonly copy: string;
  /** JSON is indented, other text stays as it is. The original is copied. */
  readonly text: string;
}

/** A stored text in a frame that scrolls, with a button that copies it. */
export function StoredText({ label, copy, text }: Props) {
  const [onCopy, isCopied] = useCopied(text);
  return (
    <div className="stored-text">
      <Button onClick={onCopy}>
        {copy}
        <span className="copied" aria-live="polite">
          {isCopied ? messages.copied : ''}
        </span>
      </Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it */}
      <section aria-label={label} tabIndex={0}>
        <pre>{indented(text)}</pre>
      </section>
    </div>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
