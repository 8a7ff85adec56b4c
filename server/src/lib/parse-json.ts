import { type Pause, parseInPieces, TooManyValuesError } from './parse-in-pieces.ts';

/** Returns whether objects and arrays are nested more than `levels` deep; the value itself is the first level. */
export function isNestedDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value)
    if (isNestedDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

const [quote, backslash, space, comma, colon] = [0x22, 0x5c, 0x20, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const [minus, plus, dot, zero, letterE] = [0x2d, 0x2b, 0x2e, 0x30, 0x65];
/** A letter in lower case has this bit. */
const lowerCase = 0x20;
const escapes: ReadonlySet<number> = new Set([...'"\\/bfnrtu'].map((letter) => letter.charCodeAt(0)));
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

const isWhite = (code: number) => code === space || code === 0x0a || code === 0x0d || code === 0x09;
const isDigit = (code: number) => code >= zero && code <= 0x39;
const isHexDigit = (code: number) =>
  isDigit(code) || ((code | lowerCase) >= 0x61 && (code | lowerCase) <= 0x66);

/**
 * Returns the index of the first character that JSON cannot have there, the length if the text ends too early, null for JSON.
 * Compares codes of characters, which takes half the time of comparing strings.
 */
export function findJsonFault(text: string): number | null {
  let at = 0;
  const skipWhite = () => {
    while (isWhite(text.charCodeAt(at))) at += 1;
  };
  const take = (code: number) => {
    if (text.charCodeAt(at) !== code) return false;
    at += 1;
    return true;
  };
  const takeDigits = () => {
    const start = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    return at > start;
  };
  const takeNumber = () => {
    take(minus);
    if (!take(zero) && !takeDigits()) return false;
    if (take(dot) && !takeDigits()) return false;
    if ((text.charCodeAt(at) | lowerCase) !== letterE) return true;
    at += 1;
    if (!take(plus)) take(minus);
    return takeDigits();
  };
  const takeString = () => {
    if (!take(quote)) return false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return take(quote);
      if (code < space) return false;
      if (code !== backslash) continue;
      at += 1;
      const letter = text.charCodeAt(at);
      if (!escapes.has(letter)) return false;
      for (let digits = letter === 0x75 ? 4 : 0; digits > 0; digits -= 1) {
        at += 1;
        if (!isHexDigit(text.charCodeAt(at))) return false;
      }
    }
    return false;
  };
  const takeWord = () => {
    const first = text.charAt(at);
    const word = first === 't' ? 'true' : first === 'f' ? 'false' : first === 'n' ? 'null' : '-';
    for (let letter = 0; letter < word.length; letter += 1) if (!take(word.charCodeAt(letter))) return false;
    return true;
  };
  const takeScalar = () => {
    const code = text.charCodeAt(at);
    if (code === quote) return takeString();
    return code === minus || isDigit(code) ? takeNumber() : takeWord();
  };
  // Not recursive: a body may be nested as deep as it is long.
  const closing: number[] = [];
  for (let expected: 'value' | 'item' | 'key' | 'next' = 'value'; ; ) {
    skipWhite();
    const end = closing.at(-1);
    if (expected === 'next' && end === undefined) return at === text.length ? null : at;
    if (expected !== 'value' && end !== undefined && take(end)) {
      closing.pop();
      expected = 'next';
      continue;
    }
    if (expected === 'next') {
      if (!take(comma)) return at;
      skipWhite();
    }
    if (end === closeBrace && expected !== 'item') {
      if (!takeString()) return at;
      skipWhite();
      if (!take(colon)) return at;
      skipWhite();
    }
    if (take(openBrace)) {
      closing.push(closeBrace);
      expected = 'key';
    } else if (take(openBracket)) {
      closing.push(closeBracket);
      expected = 'item';
    } else {
      if (!takeScalar()) return at;
      expected = 'next';
    }
  }
}

/** The value, or what the bytes must be, as in "must be UTF-8". */
type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** Limits that are checked before the parsing: they bound the memory that JSON.parse needs outside of the heap. */
interface JsonLimits {
  /** Commas, objects and arrays. */
  readonly values?: number;
  readonly levels: number;
}

/** The search for a fault takes up to 70 ms a mebibyte. Bodies with limits are parsed in a thread when they are large. */
const searchedBytes = 512 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses UTF-8 like `parseJson`, in pieces with pauses in between, for bodies of which the whole would hold up others [D292].
 * Never throws.
 */
export async function parseLargeJson(
  bytes: Uint8Array,
  pause: Pause,
  mostValues: number,
): Promise<ParsedJson> {
  const text = decoded(bytes);
  if (text === null) return { problem: 'must be UTF-8' };
  await pause();
  try {
    return { value: await parseInPieces(text, pause, mostValues) };
  } catch (error) {
    if (error instanceof TooManyValuesError) return { problem: `must have at most ${mostValues} values` };
    await pause();
    return { problem: problemOf(bytes.length <= searchedBytes ? jsonFault(text) : null) };
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function problemOf(fault: string | null): string {
  return fault === null ? 'must be JSON' : `must be JSON: ${fault}`;
}

/** Parses UTF-8 with or without a byte order mark (RFC 8259, 8.1). Never throws. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits | null = null): ParsedJson {
  if (limits !== null && !isWithin(bytes, limits)) return { problem: `must have at most ${asText(limits)}` };
  const text = decoded(bytes);
  if (text === null) return { problem: 'must be UTF-8' };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: problemOf(limits !== null || bytes.length <= searchedBytes ? jsonFault(text) : null) };
  }
}

function asText({ values, levels }: JsonLimits): string {
  return values === undefined ? `${levels} levels` : `${values} values and ${levels} levels`;
}

/** Counts brackets and commas outside of strings; of what is not JSON, any count is right. */
function isWithin(bytes: Uint8Array, { values = Number.POSITIVE_INFINITY, levels }: JsonLimits): boolean {
  let depth = 0;
  let count = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      count += 1;
      if (depth > levels) return false;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    else if (byte === comma) count += 1;
  }
  return count <= values;
}

/** Returns the index of the quote that ends the string, or of the last byte. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(quote, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end === -1 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let backslashes = 0;
  while (bytes[index - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
