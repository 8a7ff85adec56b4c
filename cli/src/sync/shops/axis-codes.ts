import { createHash } from 'node:crypto';

/** The longest code of an axis or value [catalog-27]. */
const longestCode = 64;
const hashDigits = 8;

/**
 * Returns the code of each text: without marks, with `-` for what no code may hold [D301]. A code that is empty, too long, or
 * shared with another text ends with the beginning of the text's hash, unless the text is itself the code.
 */
export function codesOf(texts: Iterable<string>): ReadonlyMap<string, string> {
  const codes = new Map([...texts].map((text) => [text, plainCode(text)]));
  const uses = new Map<string, number>();
  for (const code of codes.values()) uses.set(code, (uses.get(code) ?? 0) + 1);
  return new Map(
    [...codes].map(([text, code]) => {
      const isShared = (uses.get(code) ?? 0) > 1 && text !== code;
      return [text, code === '' || code.length > longestCode || isShared ? hashedCode(text, code) : code];
    }),
  );
}

function plainCode(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  return letters.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '');
}

function hashedCode(text: string, code: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, hashDigits);
  return code === '' ? hash : `${code.slice(0, longestCode - hashDigits - 1)}-${hash}`;
}
