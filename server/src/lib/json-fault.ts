const white = '\t\n\r ';
const digit = '0123456789';
const hex = '0123456789abcdefABCDEF';
const [quote, backslash, space] = [0x22, 0x5c, 0x20];
const [firstPrintable, lastPrintable] = [0x21, 0x7e];

/**
 * Says what keeps a string from being JSON, as in `unexpected "q" at position 22`; null: it is JSON. Positions count characters
 * from 0. An unexpected string is named by its first character. For what JSON.parse refused: its messages often have no position.
 */
export function jsonFault(text: string, whole = 'body'): string | null {
  const found = findJsonFault(text);
  if (found === null) return null;
  const next = text.codePointAt(found + 1) ?? space;
  const isString = text.charCodeAt(found) === quote && next > space && next !== quote;
  const at = isString ? found + 1 : found;
  const code = text.codePointAt(at);
  if (code === undefined) return `unexpected end of the ${whole}`;
  return `unexpected ${shown(code)} at position ${charactersBefore(text, at)}`;
}

function charactersBefore(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) count += 1;
  return count;
}

function shown(code: number): string {
  if (code === quote) return `'"'`;
  if (code >= firstPrintable && code <= lastPrintable) return `"${String.fromCodePoint(code)}"`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns the index of the first character that JSON cannot have there, the length if the text ends too early, null for JSON. */
export function findJsonFault(text: string): number | null {
  let at = 0;
  const is = (characters: string) => at < text.length && characters.includes(text.charAt(at));
  const skip = (characters: string) => {
    while (is(characters)) at += 1;
  };
  const take = (characters: string) => {
    const isNext = is(characters);
    if (isNext) at += 1;
    return isNext;
  };
  const takeDigits = () => {
    const isNext = is(digit);
    skip(digit);
    return isNext;
  };
  const takeNumber = () => {
    take('-');
    if (!take('0') && !takeDigits()) return false;
    if (take('.') && !takeDigits()) return false;
    if (!take('eE')) return true;
    take('+-');
    return takeDigits();
  };
  const takeString = () => {
    if (!take('"')) return false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return take('"');
      if (code < space) return false;
      if (code !== backslash) continue;
      at += 1;
      if (!is('"\\/bfnrtu')) return false;
      if (is('u'))
        for (let digits = 0; digits < 4; digits += 1) {
          at += 1;
          if (!is(hex)) return false;
        }
    }
    return false;
  };
  const takeWord = () => {
    const word = ['true', 'false', 'null'].find(([first = '']) => is(first)) ?? '-';
    return [...word].every((letter) => take(letter));
  };
  // Not recursive: a body may be nested as deep as it is long.
  const closing: string[] = [];
  for (let expected: 'value' | 'item' | 'key' | 'next' = 'value'; ; ) {
    skip(white);
    const end = closing.at(-1);
    if (expected === 'next' && end === undefined) return at === text.length ? null : at;
    if (expected !== 'value' && end !== undefined && take(end)) {
      closing.pop();
      expected = 'next';
      continue;
    }
    if (expected === 'next') {
      if (!take(',')) return at;
      skip(white);
    }
    if (end === '}' && expected !== 'item') {
      if (!takeString()) return at;
      skip(white);
      if (!take(':')) return at;
      skip(white);
    }
    if (take('{')) {
      closing.push('}');
      expected = 'key';
    } else if (take('[')) {
      closing.push(']');
      expected = 'item';
    } else {
      const isValue = is('"') ? takeString() : is(`-${digit}`) ? takeNumber() : takeWord();
      if (!isValue) return at;
      expected = 'next';
    }
  }
}
