import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

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
