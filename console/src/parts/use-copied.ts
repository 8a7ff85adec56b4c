import { useEffect, useState } from 'react';

const shownMs = 1500;

/** Returns a function that copies a string, and true for a moment after it has done so. */
export function useCopied(text: string): readonly [copy: () => void, isCopied: boolean] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return [() => void copyText(text).then(() => setCopied(true)), isCopied];
}

/** Copies a string. Over plain http there is no clipboard API; a selected field still copies there. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
