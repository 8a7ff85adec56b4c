import { useEffect, useState } from 'react';
import { messages } from './messages.ts';

interface Props {
  readonly id: string;
  /** The visible form, if the whole one is too long. The whole one is copied. */
  readonly short?: string;
}

const shownMs = 1500;

/** An id that copies itself. */
export function CopyableId({ id, short }: Props) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      className="copyable mono"
      title={`${messages.copy} ${id}`}
      onClick={() => void copyText(id).then(() => setCopied(true))}
    >
      {short ?? id}
      <span className="copied" aria-live="polite">
        {isCopied ? messages.copied : ''}
      </span>
    </button>
  );
}

/** Copies a text. Over plain http there is no clipboard API; a selected field still copies there. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
