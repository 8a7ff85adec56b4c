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
